@preconcurrency import Dispatch
import Foundation
import LeakCheck
import Synchronization
import Testing

/// What calls back later, and then lets go.
extension CleanFixtures {
  @Test(.clean()) func timerFires() async {
    let (clock, timer) = (watch(Clock()), DispatchSource.makeTimerSource())
    timer.schedule(deadline: .now() + .milliseconds(3))
    timer.setEventHandler {
      clock.time = 1
      timer.cancel()
    }
    timer.resume()
  }

  @Test(.clean()) func timerResumes() async {
    let clock = watch(Clock())
    Task {
      await withUnsafeContinuation { continuation in
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .milliseconds(6))
        timer.setEventHandler {
          timer.cancel()
          continuation.resume()
        }
        timer.resume()
      }
      clock.time = 1
    }
  }

  @Test(.clean()) func timerCancelled() async {
    let (clock, timer) = (watch(Clock()), DispatchSource.makeTimerSource())
    timer.schedule(deadline: .now() + .seconds(600), repeating: .seconds(600))
    timer.setEventHandler { clock.time = 1 }
    timer.setCancelHandler { clock.time = 2 }
    timer.resume()
    onQueue(after: 3) { timer.cancel() }
  }

  @Test(.clean()) func workItemFires() async {
    let clock = watch(Clock())
    let item = DispatchWorkItem { clock.time = 1 }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5), execute: item)
  }

  @Test(.clean()) func workItemCancelled() async {
    let clock = watch(Clock())
    let item = DispatchWorkItem { clock.time = 1 }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5), execute: item)
    item.cancel()
  }

  @Test(.clean()) func groupNotifies() async {
    let clock = watch(Clock())
    let group = DispatchGroup()
    group.enter()
    onQueue(after: 4) { group.leave() }
    Task {
      await withUnsafeContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
      }
      clock.time = 1
    }
  }

  @Test(.clean()) func observerRemoved() async {
    let clock = watch(Clock())
    let token = NotificationCenter.default.addObserver(
      forName: Notification.Name("tick"), object: nil, queue: nil
    ) { _ in clock.time += 1 }
    NotificationCenter.default.post(name: Notification.Name("tick"), object: nil)
    nonisolated(unsafe) let observer = token
    onQueue(after: 2) { NotificationCenter.default.removeObserver(observer) }
  }

  @Test(.clean()) func closureClearsItself() async {
    let (clock, partner) = (watch(Clock()), watch(Clock()))
    (clock.partner, partner.partner) = (partner, clock)
    clock.later = {
      partner.later = nil
      clock.later = nil
      clock.partner = nil
    }
    Task {
      await withUnsafeContinuation { continuation in
        onQueue(after: 7) { continuation.resume(returning: clock.finish()) }
      }
    }
  }

  @Test(.clean()) func weakDelegate() async {
    let (screen, table) = (watch(Page()), watch(Rows()))
    (screen.table, table.delegate) = (table, screen)
    Task {
      await slept(for: 1)
      table.tell(screen.title)
    }
  }

  // What a C library has been told is an address, for which no reference is counted.
  @Test(.clean(rounds: Fixture.fewRounds)) func addressInGlobal() async {
    let runner = watch(Runner())
    runner.keepItself()
    Task { await runner.run() }
    callback.withLock { $0 = UInt(bitPattern: Unmanaged.passUnretained(runner).toOpaque()) }
    onQueue(after: 150) {
      let address = callback.withLock { $0.take() }
      address.flatMap(UnsafeRawPointer.init(bitPattern:)).map {
        Unmanaged<Runner>.fromOpaque($0).takeUnretainedValue().letGo()
      }
    }
  }
}

private let callback = Mutex<UInt?>(nil)

private final class Page: @unchecked Sendable {
  var table: Rows?
  lazy var title: () -> String = { [weak self] in self == nil ? "gone" : "here" }
}

private final class Rows: @unchecked Sendable {
  weak var delegate: Page?
  func tell(_ title: () -> String) { _ = delegate?.title() == title() }
}

/// What is known in places that nobody can look into, and goes all the same.
extension CleanFixtures {
  // Its one reference is in pages that are not the allocator's; what the check's own frames still
  // have of the body must not count as it.
  @Test(.clean(rounds: Fixture.fewRounds)) func retainedInOwnPages() async {
    let page = OwnPage<Clock>()
    page.put(watch(Clock()))
    onQueue(after: 100) { _ = page.take() }
  }

  // Who is to be resumed stands in the kernel's table, and nowhere else.
  @Test(.clean(rounds: Fixture.fewRounds)) func onlyTheKernelKnows() async {
    let clock = watch(Clock())
    Task {
      await withUnsafeContinuation { resumeByKernel($0, after: .milliseconds(100)) }
      clock.time = 1
    }
  }
}

private func resumeByKernel(
  _ waiter: UnsafeContinuation<Void, Never>, after delay: DispatchTimeInterval
) {
  var ends: [CInt] = [0, 0]
  pipe(&ends)
  let (input, output) = (ends[0], ends[1])
  let epoll = Epoll()
  epoll.add(input, unsafeBitCast(waiter, to: UInt.self))
  Thread.detachNewThread {
    let waiter = unsafeBitCast(epoll.wait(), to: UnsafeContinuation<Void, Never>.self)
    close(input)
    epoll.end()
    waiter.resume()
  }
  DispatchQueue.global().asyncAfter(deadline: .now() + delay) { close(output) }
}

/// A page that is not the allocator's, with room for one value.
struct OwnPage<Value>: @unchecked Sendable {
  private static var size: Int { 4096 }
  private let page = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)

  func put(_ value: Value) { page?.initializeMemory(as: Value.self, to: value) }

  func take() -> Value {
    guard let page else { fatalError("no memory") }
    defer { munmap(page, Self.size) }
    return page.assumingMemoryBound(to: Value.self).move()
  }
}

/// What a body returns without having made it: a closure of one expression returns its value.
extension CleanFixtures {
  @Test func returnsFoundationsValues() async { await expectClean { Place() } }

  @Test func returnsSharedInstance() async {
    _ = Registry.shared
    await expectClean { Registry.shared.configured() }
  }

  // As another test's task may, that runs meanwhile.
  @Test func returnsSharedInstanceInUse() async {
    await whileInUse(Archive.shared.box) {
      await expectNoLeaks(within: .seconds(1)) { Archive.shared.box }
    }
  }

  // With -O it stands in the program, and on no heap.
  @Test func returnsConstantInstance() async {
    _ = Constant.shared
    await expectClean(within: .seconds(1)) { Constant.shared }
  }

  @Test func returnsInstancesOfTheSystem() async { await expectClean { Services() } }

  // Longer than a thread's stack is deep.
  @Test func returnsLongList() async {
    await expectClean(rounds: Fixture.fewRounds) { Queue(length: 20_000) }
  }

  @Test func returnsKeyPath() async { await expectClean { (\Clock.time, \Place.name) } }
}

private struct Place {
  let name = "Reykjavík"
  let zone = TimeZone.current
  let calendar = Calendar.current
  let locale = Locale.current
  let page = URL(string: "https://example.org/a")
  let map = Data(count: 4096)
}

private indirect enum Queue {
  case empty
  case first(Int, Queue)

  init(length: Int) {
    self = .empty
    for number in 0..<length { self = .first(number, self) }
  }
}

private struct Services {
  let center = NotificationCenter.default
  let files = FileManager.default
  let process = ProcessInfo.processInfo
  let bundle = Bundle.main
}

extension Registry { fileprivate func configured() -> Registry { self } }
