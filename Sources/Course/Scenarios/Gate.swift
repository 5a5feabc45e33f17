import MemlabKit
import Synchronization

/// A gate that tasks wait at until it is opened.
struct Gate: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  /// A closed gate.
  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Returns once the gate is open.
  func opened() async {
    for await _ in stream {}
  }

  /// Opens the gate: all waiting and all later calls return.
  func open() { continuation.finish() }
}

/// A clock that moves only when the test turns it, so that a step can end although a loop sleeps
/// forever.
final class HandTurnedClock: Clock {
  /// A time on this clock: how far it has been turned.
  struct Instant: InstantProtocol {
    /// The time since the clock's start.
    var turned = Duration.zero

    /// A later time.
    func advanced(by duration: Duration) -> Instant { Instant(turned: turned + duration) }
    /// The time from this one to another.
    func duration(to other: Instant) -> Duration { other.turned - turned }
    /// Whether one time is before another.
    static func < (one: Instant, other: Instant) -> Bool { one.turned < other.turned }
  }

  private struct State {
    var now = Instant()
    var sleepers: [(until: Instant, gate: Gate)] = []
  }

  private let state = Mutex(State())

  /// The current time.
  var now: Instant { state.withLock { $0.now } }
  /// Zero: the clock can be turned by any duration.
  var minimumResolution: Duration { .zero }

  /// Returns when the clock has been turned far enough, or throws when the task is cancelled.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let gate = Gate()
    state.withLock { $0.sleepers.append((deadline, gate)) }
    Ledger.current?.note("sleeps")
    await gate.opened()
    try Task.checkCancellation()
  }

  /// Turns the clock, and wakes the sleepers whose time has come.
  ///
  /// - Parameter duration: how far; by default a second.
  func turn(by duration: Duration = .seconds(1)) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let (now, all) = (state.now, state.sleepers)
      state.sleepers = all.filter { $0.until > now }
      return all.filter { $0.until <= now }
    }
    for sleeper in due { sleeper.gate.open() }
  }
}
