import HeapGraph
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Sees to it that memlab ends when code under study stands still: when it blocks the one thread
/// that everything runs on, or never waits.
///
/// The schedulers' own limits are looked at between jobs, so these do not help then. What is watched
/// is the code of a trial's steps; memlab's own work may take its time.
public enum Watchdog {
  private struct Watched: Sendable {
    var ending: String
    var step: Int
    var isResting = false
  }

  // Counted in short naps and not with a clock: a process that is stopped, in a debugger say, takes
  // none meanwhile.
  private static let looks = 60
  private static let watched = Guarded<Watched?>(nil)
  private static let moves = Atomic(0)
  private static let words = Guarded<(@Sendable (TrialError) -> Void)?>(nil)

  /// Begins to watch, for as long as the process lives.
  ///
  /// - Parameters:
  ///   - patience: how long nothing may move.
  ///   - bite: called on another thread, once nothing has moved for so long.
  public static func start(
    patience: Duration, bite: @escaping @Sendable (TrialError) -> Never
  ) {
    SystemThread.started { watch(patience, bite: bite) }.detach()
  }

  /// What else is to be done before the process ends: a document to be closed. Nil for nothing.
  public static func setLastWords(_ body: (@Sendable (TrialError) -> Void)?) {
    words.withLock { $0 = body }
  }

  /// Something has moved: a job was run.
  static func noteMove() { moves.wrappingAdd(1, ordering: .relaxed) }

  /// The code of an ending is about to run.
  static func watch(_ ending: String) {
    watched.withLock { $0 = Watched(ending: ending, step: 1) }
    noteMove()
  }

  /// The code of a trial is over.
  static func leave() { watched.withLock { $0 = nil } }

  /// Does what is memlab's own work, however long it takes; then the next step begins.
  static func rest(beforeStep next: Int, _ body: () -> Void) {
    watched.withLock { $0?.isResting = true }
    body()
    noteMove()
    watched.withLock {
      $0?.step = next
      $0?.isResting = false
    }
  }

  private static func watch(
    _ patience: Duration, bite: @Sendable (TrialError) -> Never
  ) -> Never {
    var (seen, still) = (-1, 0)
    while true {
      usleep(UInt32(patience / .microseconds(looks)))
      let (now, place) = (moves.load(ordering: .relaxed), watched.withLock { $0 })
      let isStill = now == seen && place?.isResting == false
      (seen, still) = (now, isStill ? still + 1 : 0)
      guard still >= looks, let place else { continue }
      let error = TrialError(
        ending: place.ending, step: place.step, reason: reason(patience))
      words.withLock { $0 }?(error)
      bite(error)
    }
  }

  private static func reason(_ patience: Duration) -> String {
    "nothing has moved for \(patience.components.seconds) seconds; is there a lock that nobody "
      + "releases, or a loop that never waits?"
  }
}
