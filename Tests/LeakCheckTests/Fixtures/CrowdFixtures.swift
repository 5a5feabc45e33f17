@preconcurrency import Dispatch
import Foundation
import LeakCheck
import Synchronization
import Testing

/// Two hundred tests at the same time, of which every twentieth leaks in a way of its own.
@Suite("Crowd", .enabled(if: Fixture.isOn)) struct CrowdFixtures {
  @Test(.noLeaks, arguments: 0..<200) func crowd(number: Int) async {
    let member = watch(Member(number: number))
    member.start(name: "member \(number)")
    for _ in 0..<number % 7 { await Task.yield() }
    if number % 20 != 7 { member.stop() }
  }
}

/// Has a task that waits for it.
final class Member: @unchecked Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  private var sum: Int

  init(number: Int) { sum = number }

  func start(name: String) {
    Task(name: name) { [stream] in for await value in stream { self.sum += value } }
  }

  func stop() { continuation.finish() }
}

/// Many tests at the same time: of each ten, one leaks, and the others do nearly the same and
/// do not.
@Suite("Mixed", .enabled(if: Fixture.isOn)) struct MixedFixtures {
  /// How many.
  static let count = Fixture.isThorough ? 200 : 100

  @Test(.noLeaks, arguments: 0..<count) func mixed(number: Int) async {
    let guest = watch(Guest(number: number))
    guest.bring(number % 3)
    switch number % 10 {
    case 0: await guest.asTaskLocal { await Task { await Task.yield() }.value }
    case 1: await guest.asTaskLocal { Task { await slept(for: 30) } }
    case 2: await guest.asTaskLocal { await Guest.inGroup() }
    case 3: guest.stays(for: 40)
    case 4: guest.countedByTimer(times: 3)
    case 5: guest.onThread(for: 50_000)
    case 6: await guest.asTaskLocal { await Guest.inStream() }
    case 8: Task.detached { await guest.later() }
    case 9: Task { await guest.later() }
    default:
      switch number / 10 % 3 {
      case 0: House.rooms.withLock { $0[number] = guest }
      case 1: guest.countedByTimer(times: .max)
      default: await guest.asTaskLocal { Task(name: "guest") { await Request().load() } }
      }
    }
  }
}

/// Keeps guests by their numbers.
private enum House { static let rooms = Mutex<[Int: Guest]>([:]) }

private final class Guest: @unchecked Sendable {
  @TaskLocal static var current: Guest?
  private let number: Int
  private var others: [Guest] = []
  private let count = Mutex(0)

  init(number: Int) { self.number = number }

  func bring(_ count: Int) { for other in 0..<count { others.append(Guest(number: -other)) } }

  func asTaskLocal(_ body: () async -> Void) async {
    await Self.$current.withValue(self) { await body() }
  }

  static func inGroup() async {
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          let guest = Guest.current
          await Task { await Task.yield() }.value
          withExtendedLifetime(guest) {}
        }
      }
    }
  }

  static func inStream() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    Task { for await _ in stream { withExtendedLifetime(Guest.current) {} } }
    for number in 0..<5 {
      continuation.yield(number)
      await Task.yield()
    }
    Task {
      await slept(for: 20)
      continuation.finish()
    }
  }

  func stays(for milliseconds: Int) {
    House.rooms.withLock { $0[number] = self }
    onQueue(after: milliseconds) { [number] in House.rooms.withLock { $0[number] = nil } }
  }

  func countedByTimer(times: Int) {
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { [self] in
      let isDone = count.withLock { count in
        count += 1
        return count >= times
      }
      if isDone { timer.cancel() }
    }
    timer.schedule(deadline: .now() + .milliseconds(10), repeating: .milliseconds(10))
    timer.activate()
  }

  func onThread(for microseconds: UInt32) {
    Thread.detachNewThread { [self] in
      usleep(microseconds)
      count.withLock { $0 = 1 }
    }
  }

  func later() async {
    await slept(for: 15)
    count.withLock { $0 = 2 }
  }
}

/// Many tests at the same time whose objects a timer keeps until it has fired for the last time.
@Suite("Timers", .enabled(if: Fixture.isOn)) struct TimerFixtures {
  @Test(.noLeaks, arguments: 0..<(Fixture.isThorough ? 40 : 4)) func fires(number: Int) async {
    watch(Guest(number: number)).countedByTimer(times: 200)
  }
}
