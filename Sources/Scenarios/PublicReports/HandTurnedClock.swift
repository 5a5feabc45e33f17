import MemlabKit
import Synchronization

/// A clock that moves when it is told to, so that a loop which sleeps for ever still comes to rest.
final class HandTurnedClock: Clock {
  /// A time on this clock: how far it has been turned.
  struct Instant: InstantProtocol {
    var turned = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(turned: turned + duration) }
    func duration(to other: Instant) -> Duration { other.turned - turned }
    static func < (one: Instant, other: Instant) -> Bool { one.turned < other.turned }
  }

  private struct State {
    var now = Instant()
    var sleepers: [(until: Instant, gate: Gate)] = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  /// Returns when the clock has been turned far enough, or throws when the task is cancelled.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let gate = Gate()
    state.withLock { $0.sleepers.append((deadline, gate)) }
    Ledger.current?.note("sleeps")
    await gate.opened()
    try Task.checkCancellation()
  }

  /// Turns the clock, and wakes whose time has come.
  func turn(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let (now, all) = (state.now, state.sleepers)
      state.sleepers = all.filter { $0.until > now }
      return all.filter { $0.until <= now }
    }
    for sleeper in due { sleeper.gate.open() }
  }
}
