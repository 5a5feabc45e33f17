import Foundation
import LeakCheck
import Synchronization
import Testing

/// Threads that alone know what a task waits for; one after the other, so that no other thread gives
/// a reason to doubt.
@Suite("Threads", .enabled(if: Fixture.isOn), .serialized) struct ThreadFixtures {
  @Test(arguments: Pastime.allCases) fileprivate func threadResumes(after pastime: Pastime) async {
    await expectResumed { box in
      Thread.detachNewThread { resume(box, after: pastime, milliseconds: 500) }
    }
  }

  // Optimised code keeps it in a register, which only a thread that is stopped shows.
  @Test func threadResumesWhatItKeepsOutOfMemory() async {
    await expectResumed { box in
      Thread.detachNewThread {
        let number = box.takeNumber()
        clearStack()
        usleep(500_000)
        unsafeBitCast(number, to: UnsafeContinuation<Void, Never>.self).resume()
      }
    }
  }

  // No page below such a stack tells it from other memory.
  @Test(arguments: [Pastime.sleeping, .computing])
  fileprivate func unguardedThreadResumes(after pastime: Pastime) async {
    await expectResumed { box in
      onUnguardedThread { resume(box, after: pastime, milliseconds: 1500) }
    }
  }

  private func expectResumed(by begin: (RawRunner.Box) -> Void) async {
    await expectNoLeaks {
      let waiter = watch(RawRunner())
      Task { await waiter.run() }
      await waiter.isReady()
      begin(waiter.box)
    }
  }

  // Who breaks a check off does not know what its body still has to do.
  @Test func checkBrokenOff() async {
    let check = Task {
      await expectNoLeaks {
        let runner = watch(Runner())
        Task { await runner.run() }
        afterTwoLooks { runner.stop() }
      }
    }
    check.cancel()
    await check.value
  }

  @Test func checkOfAnObjectBrokenOff() async {
    let check = Task {
      await expectDeallocated {
        let clock = Clock()
        afterTwoLooks { clock.time = 1 }
        return clock
      }
    }
    check.cancel()
    await check.value
  }
}

/// Runs a closure once the heap was looked at twice: a check that waits for it does not end with its
/// first look.
private func afterTwoLooks(_ body: @escaping @Sendable () -> Void) {
  let count = HeapReadTurn.count
  Thread.detachNewThread {
    while HeapReadTurn.count < count + 2 { sched_yield() }
    body()
  }
}

private func resume(_ box: RawRunner.Box, after pastime: Pastime, milliseconds: Int32) {
  let continuation = box.take()
  pastime.pass(milliseconds: milliseconds)
  continuation?.resume()
}

/// Overwrites what calls that have returned left below the caller's frame.
@inline(never) @_optimize(none) func clearStack() {
  withExtendedLifetime(InlineArray<2048, UInt>(repeating: 0)) {}
}

private func onUnguardedThread(_ body: @escaping @Sendable () -> Void) {
  // Two C modules have the type, and which of them makes one depends on what was imported first.
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  pthread_attr_init(attributes)
  pthread_attr_setguardsize(attributes, 0)
  pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
  var thread = pthread_t()
  let work = Unmanaged.passRetained(Work(body: body))
  pthread_create(
    &thread, attributes,
    { argument in
      argument.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
      return nil
    }, work.toOpaque())
  pthread_attr_destroy(attributes)
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(body: @escaping @Sendable () -> Void) { self.body = body }
}

/// What a thread may do until it resumes a task.
private enum Pastime: CaseIterable {
  case sleeping, polling, reading, waiting, computing

  func pass(milliseconds time: Int32) {
    switch self {
    case .sleeping: usleep(UInt32(time) * 1000)
    case .polling: poll(nil, 0, time)
    case .reading: Self.read(after: time)
    case .waiting: _ = DispatchSemaphore(value: 0).wait(timeout: .now() + Double(time) / 1000)
    case .computing:
      let end = ContinuousClock.now + .milliseconds(Int64(time))
      while ContinuousClock.now < end {}
    }
  }

  private static func read(after milliseconds: Int32) {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let (input, output) = (ends[0], ends[1])
    onQueue(after: Int(milliseconds)) { close(output) }
    var byte: UInt8 = 0
    _ = Glibc.read(input, &byte, 1)
    close(input)
  }
}

/// Waits with a continuation that nothing checks or counts.
private final class RawRunner: Sendable {
  /// Has a continuation until it is taken; from then on only who took it knows it.
  final class Box: Sendable {
    private final class Letter: Sendable {
      let continuation: UnsafeContinuation<Void, Never>
      init(_ continuation: UnsafeContinuation<Void, Never>) { self.continuation = continuation }
    }

    private let letter = Mutex<Letter?>(nil)
    var isEmpty: Bool { letter.withLock { $0 == nil } }

    func put(_ continuation: UnsafeContinuation<Void, Never>) {
      letter.withLock { $0 = Letter(continuation) }
    }

    // The letter goes: an optional without a value may keep the old one's bytes.
    func take() -> UnsafeContinuation<Void, Never>? { letter.withLock { $0.take() }?.continuation }

    @inline(never) func takeNumber() -> UInt {
      take().map { unsafeBitCast($0, to: UInt.self) } ?? 0
    }
  }

  let box = Box()

  func run() async { await withUnsafeContinuation { box.put($0) } }
  func isReady() async { while box.isEmpty { await Task.yield() } }
}

/// What foreign code knows of a task, in its own manner.
extension ThreadFixtures {
  // As a library in C has its handles in a list: by the address of a member.
  @Test func knownByAMember() async {
    // Several times, for a thread that runs just then would be a reason to doubt.
    await expectClean(rounds: Fixture.isThorough ? 4 : 2) {
      let caller = watch(Caller())
      Task { await caller.wait() }
      onQueue(after: 500) { Handle.callAll() }
    }
  }

  @Test func knownInOwnPages() async {
    await expectClean(rounds: Fixture.isThorough ? 4 : 2) {
      let (clock, other) = (watch(Clock()), watch(Clock()))
      let waiter = OwnPage<UnsafeContinuation<Int, Never>>()
      let semaphores = OwnPage<Unmanaged<DispatchSemaphore>>()
      Task { clock.time = await withUnsafeContinuation { waiter.put($0) } }
      Thread.detachNewThread {
        let semaphore = DispatchSemaphore(value: 0)
        semaphores.put(.passUnretained(semaphore))
        semaphore.wait()
        other.time = 1
      }
      onQueue(after: 500) {
        waiter.take().resume(returning: 1)
        semaphores.take().takeUnretainedValue().signal()
      }
    }
  }
}

/// Waits for its handle, which knows it without owning it.
private final class Caller: @unchecked Sendable {
  private var waiter: UnsafeContinuation<Void, Never>?
  private var handle: UnsafeMutablePointer<Handle>?

  func wait() async {
    await withUnsafeContinuation { continuation in
      waiter = continuation
      handle = Handle.add(owner: Unmanaged.passUnretained(self).toOpaque())
    }
  }

  func call() {
    handle = nil
    waiter?.resume()
  }
}

private struct Handle {
  var owner: UnsafeMutableRawPointer
  var link: UInt = 0

  private static let links = Mutex<[UInt]>([])
  private static let offset = UInt(MemoryLayout<Handle>.offset(of: \.link) ?? 0)

  static func add(owner: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Handle> {
    let handle = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
    handle.initialize(to: Handle(owner: owner))
    links.withLock { $0.append(UInt(bitPattern: handle) + offset) }
    return handle
  }

  static func callAll() {
    let links = links.withLock { links in
      defer { links = [] }
      return links
    }
    for handle in links.compactMap({ UnsafeMutablePointer<Handle>(bitPattern: $0 - offset) }) {
      Unmanaged<Caller>.fromOpaque(handle.pointee.owner).takeUnretainedValue().call()
      handle.deallocate()
    }
  }
}
