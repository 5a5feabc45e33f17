import Foundation
import LeakCheck
import Synchronization
import Testing

/// Patterns that people reported, and others like them: every one of them leaks.
@Suite("Leaking", .enabled(if: Fixture.isOn), .serialized) struct LeakingFixtures {
  @Test func strongSelf() async {
    await expectNoLeaks(within: Fixture.limit) { watch(Forwarder()).start() }
  }

  @Test(.noLeaks(within: Fixture.limit)) func weakSelfThenRunForEver() async {
    let runner = watch(Runner())
    Task { [weak runner] in await runner?.run() }
    while !runner.isWaiting { await Task.yield() }
  }

  @Test(.noLeaks(within: Fixture.limit)) func guardBeforeTheLoop() async {
    let forwarder = watch(Forwarder())
    forwarder.startWithGuard()
    while !forwarder.isRunning { await Task.yield() }
  }

  @Test func assignToSelf() async {
    await expectNoLeaks(within: Fixture.limit) {
      let clock = watch(Clock())
      clock.subscription = Subscription { clock.time = $0 }
    }
  }

  @Test(.noLeaks(within: Fixture.limit)) func abandonedContinuation() async {
    let request = watch(Request())
    Task { await request.load() }.cancel()
  }

  @Test func innerWeakOuterStrong() async {
    await expectNoLeaks(within: Fixture.limit) {
      let clock = watch(Clock())
      clock.later = { clock.subscription = Subscription { [weak clock] in clock?.time = $0 } }
    }
  }

  @Test func heldByGlobal() async {
    await expectNoLeaks(within: .milliseconds(300)) {
      Registry.shared.entries.append(watch(Clock()))
    }
    Registry.shared.entries = []
  }

  @Test func waitsForGlobal() async {
    await expectNoLeaks(within: Fixture.limit) {
      let clock = watch(Clock())
      Task(name: "listener") { for await time in Registry.shared.stream { clock.time = time } }
    }
    Registry.shared.continuation.finish()
  }

  @Test(.noLeaks(within: Fixture.limit)) func taskGroupOfChildren() async {
    Task(name: "parent") {
      await withTaskGroup { group in
        group.addTask(name: "child") { await Request().load() }
        await group.waitForAll()
      }
    }
  }

  @Test(.noLeaks(within: Fixture.limit)) func deepTask() async {
    Task { Task { await Task { Task(name: "deep") { await Request().load() } }.value } }
  }

  @Test(.noLeaks(within: Fixture.limit)) func asyncLet() async {
    Task(name: "parent") {
      async let one: Void = Request().load()
      await one
    }
  }

  @Test func returnedObject() async {
    await expectNoLeaks(within: Fixture.limit) { () -> (Clock, [Clock?]) in
      let (clock, other) = (Clock(), Clock())
      other.partner = clock
      clock.partner = other
      return (clock, [other, nil])
    }
  }

  @Test func handedOverAndReturned() async {
    await expectNoLeaks(within: Fixture.limit) { watch(Clock.ring()) }
  }

  @Test func deallocated() async { await expectDeallocated { Clock.ring() } }

  @Test(.noLeaks(within: Fixture.limit)) func trait() { watch(Forwarder()).start() }

  @Test @MainActor func onMainActor() async {
    await expectNoLeaks(within: Fixture.limit) { watch(Forwarder()).start() }
  }

  @Test func detachedInWholeProcess() async {
    await expectNoLeaks(wholeProcess: true) {
      Task.detached(name: "detached") { await Request().load() }
    }
  }

  @Test func sleepsForEver() async {
    let task = Mutex<Task<Void, Never>?>(nil)
    await expectNoLeaks(within: .milliseconds(300)) {
      let clock = watch(Clock())
      let poller = Task(name: "poller") {
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(20))
          clock.time += 1
        }
      }
      task.withLock { $0 = poller }
    }
    task.withLock { $0?.cancel() }
  }
}

/// What a thread keeps that waits in the middle of somebody's code.
extension LeakingFixtures {
  private static let end = DispatchSemaphore(value: 0)

  @Test func keptByAThread() async {
    await expectNoLeaks(within: Fixture.limit) { keep(watch(Clock()), until: Self.end) }
    Self.end.signal()
  }

  @Test func ringOfAThread() async {
    let end = DispatchSemaphore(value: 0)
    await expectNoLeaks(within: Fixture.limit) { keep(watch(Clock.ring()), until: end) }
    end.signal()
  }

  private func keep(_ clock: Clock, until end: DispatchSemaphore) {
    let begun = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // Foundation's own setter does nothing when the new thread is faster than the one that made it,
      // and a thread without a name has that of the queue's thread that made it.
      FileHandle(forWritingAtPath: "/proc/thread-self/comm")?.write(Data("keeper".utf8))
      begun.signal()
      end.wait()
      clock.partner = nil
    }
    begun.wait()
  }
}

/// What leaks while memory that is in use, but not that part of it, still has its address.
extension LeakingFixtures {
  @Test(.noLeaks(within: Fixture.limit)) func leftInSpareRoom() async {
    let clock = watch(Clock.ring())
    Registry.shared.entries.append(clock)
    Registry.shared.entries.removeLast()
  }

  @Test(.noLeaks(within: Fixture.limit)) func leftInFreeBucket() async {
    let clock = watch(Clock.ring())
    for key in 0..<8 { Registry.shared.table[key] = clock }
    for key in 0..<8 { Registry.shared.table[key] = nil }
  }

  @Test(.noLeaks(within: Fixture.limit)) func leftInSideTable() async {
    let place = visit()
    var others: [Clock] = []
    while others.count < 1000 {
      let clock = Clock()
      guard UInt(bitPattern: Unmanaged.passUnretained(clock).toOpaque()) != place else {
        watch(clock).partner = clock
        return
      }
      others.append(clock)
    }
    Issue.record("no clock has come to the place of the visitor")
  }

  // Of a visitor that has gone again.
  private func visit() -> UInt {
    let clock = Clock()
    Registry.shared.visitor = clock
    return UInt(bitPattern: Unmanaged.passUnretained(clock).toOpaque())
  }

  @Test func leftInSpentCall() async {
    await expectNoLeaks(within: Fixture.limit) { leak(priority: 0xFFFF_FFFF_0000_0007) }
  }

  // The same before libdispatch has made the call.
  @Test func calledLater() async {
    await expectNoLeaks(within: .milliseconds(300)) { leak(priority: .max) }
  }

  // As SQLite does with what it allocates: its own count of bytes comes first.
  @Test func knownBehindAHeader() async {
    await expectNoLeaks(within: Fixture.limit) {
      let clock = watch(Clock())
      let note = UnsafeMutablePointer<UInt>.allocate(capacity: 2)
      note[1] = UInt(bitPattern: Unmanaged.passUnretained(clock).toOpaque())
      clock.later = { [part = note + 1] in
        part.pointee = 0
        clock.time = 1
      }
    }
  }

  // As libdispatch notes a call on a queue that has another as its target.
  private func leak(priority: UInt) {
    let clock = watch(Clock.ring())
    let call = UnsafeMutablePointer<UInt>.allocate(capacity: 8)
    let table = UInt(bitPattern: dlsym(nil, "_dispatch_main_q"))
    let address = UInt(bitPattern: Unmanaged.passUnretained(clock).toOpaque())
    for (index, word) in [table, priority, 0, .max, 0, 0, table, address].enumerated() {
      call[index] = word
    }
    Registry.shared.call = call
  }
}
