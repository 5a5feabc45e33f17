import CCrashNote
import HeapGraph
import Synchronization

/// Sees to it that memlab ends when code under study stands still: when it blocks the one thread
/// that everything runs on, or never waits. Where that code crashes, it says which.
///
/// The schedulers' own limits are looked at between jobs, so these do not help then. What is watched
/// is the code of a trial's steps; memlab's own work may take its time.
public enum Watchdog {
  private struct Watched: Sendable {
    var place: TrialPlace
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
  /// A crash is named on the standard error before Swift's backtrace comes, and ends the process as
  /// it would have without this.
  ///
  /// - Parameters:
  ///   - patience: how long nothing may move.
  ///   - bite: called on another thread, once nothing has moved for so long.
  public static func start(
    patience: Duration, bite: @escaping @Sendable (TrialError) -> Never
  ) {
    crash_note_install()
    SystemThread.started { watch(patience, bite: bite) }.detach()
  }

  /// What else is to be done before the process ends: a document to be closed. Nil for nothing.
  public static func setLastWords(_ body: (@Sendable (TrialError) -> Void)?) {
    words.withLock { $0 = body }
  }

  /// Something has moved: a job was run.
  static func noteMove() { moves.wrappingAdd(1, ordering: .relaxed) }

  /// The code of an ending is about to run.
  static func watch(_ ending: Ending) {
    set(Watched(place: TrialPlace(ending, step: 1)))
    noteMove()
  }

  /// The code of a trial's steps is over; what follows may take its time.
  static func rest() { watched.withLock { $0?.isResting = true } }

  /// A trial is over.
  static func leave() { set(nil) }

  /// Does what is memlab's own work, however long it takes; then the next step begins.
  static func rest(beforeStep next: Int, _ body: () -> Void) {
    rest()
    body()
    noteMove()
    guard var place = watched.withLock({ $0?.place }) else { return }
    place.step = next
    set(Watched(place: place))
  }

  private static func set(_ next: Watched?) {
    watched.withLock { $0 = next }
    // While it is written, blocks are recorded that nobody under study has made.
    HeapRecording.withoutRecording {
      var note = next.map { "Error: \(crash(at: $0.place))\n" } ?? ""
      note.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { crash_note_set($0.baseAddress, $0.count) }
      }
    }
  }

  private static func watch(
    _ patience: Duration, bite: @Sendable (TrialError) -> Never
  ) -> Never {
    var (seen, still) = (-1, 0)
    while true {
      if crash_note_wait(Int32(patience / .milliseconds(looks))) { speakLastWords() }
      let (now, current) = (moves.load(ordering: .relaxed), watched.withLock { $0 })
      let isStill = now == seen && current?.isResting == false
      (seen, still) = (now, isStill ? still + 1 : 0)
      guard still >= looks, let place = current?.place else { continue }
      let error = TrialError(place, reason: reason(patience))
      words.withLock { $0 }?(error)
      bite(error)
    }
  }

  // The thread that has crashed waits, but not for ever: what is to be done may need a lock of its.
  private static func speakLastWords() {
    if let place = watched.withLock({ $0?.place }) { words.withLock { $0 }?(crash(at: place)) }
    crash_note_release()
  }

  private static func crash(at place: TrialPlace) -> TrialError {
    TrialError(place, reason: "the code has crashed")
  }

  private static func reason(_ patience: Duration) -> String {
    "nothing has moved for \(patience.components.seconds) seconds; is there a lock that nobody "
      + "releases, or a loop that never waits?"
  }
}
