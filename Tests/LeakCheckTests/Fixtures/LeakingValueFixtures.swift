import LeakCheck
import Synchronization
import Testing

/// Cycles and tasks whose way leads through what has no name of its own.
extension LeakingFixtures {
  @Test func dictionaryOfClosures() async {
    await expectNoLeaks(within: Fixture.limit) {
      let desk = watch(Desk())
      desk.handlers["key", default: []].append { desk.count += 1 }
    }
  }

  @Test(.noLeaks(within: Fixture.limit)) func indirectCase() async {
    let desk = watch(Desk())
    desk.papers = .pile(.none, .of(desk))
  }

  // The library that runs tests keeps where an error was thrown, beside a weak reference to it.
  @Test(.noLeaks(within: Fixture.limit)) func leftInErrorCache() async {
    let desk = watch(Desk())
    desk.outcome = Result { throw Refusal(desk: desk, code: 3) }
  }

  @Test(.noLeaks(within: Fixture.limit)) func taskLocalValue() async {
    Desk.$current.withValue(watch(Desk())) { _ = Task(name: "clerk") { await Request().load() } }
  }

  @Test func closureThatCallsItself() async {
    await expectNoLeaks(within: Fixture.limit) {
      let desk = watch(Desk())
      var again = {}
      again = {
        desk.count += 1
        if desk.count < 2 { again() }
      }
      again()
    }
  }

  @Test func globalClosure() async {
    await expectNoLeaks(within: Fixture.limit) {
      let desk = watch(Desk())
      atTheEnd = { desk.count += 1 }
    }
    atTheEnd = nil
  }

  @Test func globalClosureOfTwo() async {
    await expectNoLeaks(within: Fixture.limit) {
      let (desk, other) = (watch(Desk()), Desk())
      atTheEnd = { (desk.count, other.count) = (other.count, desk.count) }
    }
    atTheEnd = nil
  }

  // Two variables, in memory the one behind the other, as the parts of a closure are.
  @Test func behindAFunction() async {
    await expectNoLeaks(within: Fixture.limit) {
      call = {}
      deskBehindCall = watch(Desk())
    }
    deskBehindCall = nil
  }

  // What a C library calls back, and with what.
  @Test func functionOfC() async {
    await expectNoLeaks(within: Fixture.limit) {
      let call = UnsafeMutablePointer<Call>.allocate(capacity: 1)
      call.initialize(
        to: Call(
          function: { Unmanaged<Desk>.fromOpaque($0).takeUnretainedValue().count += 1 },
          context: Unmanaged.passRetained(watch(Desk())).toOpaque()))
      call.pointee.function(call.pointee.context)
      lastCall = call
    }
    lastCall.map { Unmanaged<Desk>.fromOpaque($0.pointee.context).release() }
    lastCall?.deallocate()
    lastCall = nil
  }

  // Foundation's queue keeps an operation so, which has a closure that refers to it.
  @Test func ringThatIsRetained() async {
    let retained = Mutex<UInt>(0)
    await expectNoLeaks(within: Fixture.limit) {
      let desk = watch(Desk())
      desk.papers = .of(desk)
      // Its complement is no reference to it.
      retained.withLock { $0 = ~UInt(bitPattern: Unmanaged.passRetained(desk).toOpaque()) }
    }
    let desk = UnsafeRawPointer(bitPattern: ~retained.withLock(\.self))
    desk.map { Unmanaged<Desk>.fromOpaque($0).release() }
  }

  @Test(.noLeaks(within: Fixture.limit)) func asyncLetThatNobodyAwaits() async {
    let request = watch(Request())
    Task(name: "parent") {
      async let _: Void = request.load()
      throw Refusal(desk: nil, code: 4)
    }
  }
}

private final class Desk: @unchecked Sendable {
  indirect enum Papers {
    case none
    case of(Desk)
    case pile(Papers, Papers)
  }

  @TaskLocal static var current: Desk?
  var handlers: [String: [() -> Void]] = [:]
  var papers = Papers.none
  var outcome: Result<Int, any Error>?
  var count = 0
}

nonisolated(unsafe) private var atTheEnd: (() -> Void)?
nonisolated(unsafe) private var call: (@convention(c) () -> Void)?
nonisolated(unsafe) private var deskBehindCall: Desk?
nonisolated(unsafe) private var lastCall: UnsafeMutablePointer<Call>?

private struct Call {
  let function: @convention(c) (UnsafeRawPointer) -> Void
  let context: UnsafeRawPointer
}

private struct Refusal: Error {
  let desk: Desk?
  let code: Int
}
