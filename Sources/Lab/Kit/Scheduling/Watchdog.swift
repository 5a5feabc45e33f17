import CMemlabLab
import MemlabHeapModel
import MemlabPlatform
import Synchronization

/// Ends the process when code under study makes no progress: when it blocks the only thread, or loops
/// without waiting. When that code crashes, it says which step it was.
///
/// The schedulers check their limits only between jobs, so they cannot do this. Only the code of a
/// trial's steps is watched; memlab's own work may take any time.
package enum Watchdog {
  private struct Watched: Sendable {
    var place: TrialPlace
    var isResting = false
  }

  // A closure in a generic box is wrapped anew at each access, and a chain of wrappings grows.
  private struct Call<Argument> { let body: @Sendable (Argument) -> Void }

  // Counts short waits instead of reading a clock: while a debugger stops the process, none pass.
  private static let looks = 60
  private static let watched = Guarded<Watched?>(nil)
  private static let moves = Atomic(0)
  private static let words = Guarded<Call<TrialError>?>(nil)
  private static let follower = Guarded<Call<TrialPlace>?>(nil)

  /// Makes what two threads of a copy of this process would make at the same time.
  ///
  /// The runtime's `swift_once` waits in a lock that knows its owner by the id of the thread, and
  /// remembers that id. In the first thread of a copy it is that of the original, so two threads that
  /// meet in `swift_once` would wait for each other forever.
  static func prepareForCopies() {
    _ = watched.withLock { $0 == nil }
    _ = words.withLock { $0 == nil }
    _ = follower.withLock { $0 == nil }
    _ = moves.load(ordering: .relaxed)
  }

  /// Begins to watch, until the process ends.
  ///
  /// Before a crash ends the process as usual, the standard error says in which step it happened.
  ///
  /// - Parameters:
  ///   - limit: how long a step may make no progress.
  ///   - end: called on another thread when that time has passed.
  package static func start(limit: Duration, end: @escaping @Sendable (TrialError) -> Never) {
    memlab_crash_note_install()
    SystemThread.started { watch(limit, end: end) }.detach()
  }

  /// Has a crash of this process end without Swift's backtrace, which takes longer than an ending
  /// and fills a screen, unless the environment asks for one.
  package static func leaveOutBacktrace() { memlab_crash_note_leave_out_backtrace() }

  /// Calls a body before each step of a trial and again when it begins, on the thread that runs the
  /// steps.
  static func follow(_ body: @escaping @Sendable (TrialPlace) -> Void) {
    follower.withLock { $0 = Call(body: body) }
  }

  /// Sets what is called before the process ends, for example to finish JUnit output; nil for
  /// nothing.
  package static func setLastWords(_ body: (@Sendable (TrialError) -> Void)?) {
    words.withLock { $0 = body.map { Call(body: $0) } }
  }

  /// Notes progress: a job was run.
  static func noteMove() { moves.wrappingAdd(1, ordering: .relaxed) }

  /// Begins to watch the code of an ending.
  static func watch(_ ending: Ending) {
    set(Watched(place: TrialPlace(ending, step: 1)))
    noteMove()
  }

  /// Notes what the current step does.
  static func enter(step text: String) {
    let place = HeapRecording.withoutRecording {
      watched.withLock { watched -> TrialPlace? in
        watched?.place.text = text
        return watched?.place
      }
    }
    if let place { follower.withLock { $0 }?.body(place) }
  }

  /// Stops watching: the steps are over, and what follows may take any time.
  static func rest() { watched.withLock { $0?.isResting = true } }

  /// Ends the watch: the trial is over.
  static func leave() { set(nil) }

  /// Does memlab's own work, which may take any time, between two steps.
  static func rest(beforeStep next: Int, _ body: () -> Void) {
    rest()
    body()
    noteMove()
    guard var place = watched.withLock({ $0?.place }) else { return }
    (place.step, place.text) = (next, nil)
    set(Watched(place: place))
  }

  private static func set(_ next: Watched?) {
    watched.withLock { $0 = next }
    if let place = next?.place { follower.withLock { $0 }?.body(place) }
    // The text is memlab's, not the code's under study, so it is not recorded.
    HeapRecording.withoutRecording {
      let error = next.map { "Error: \(crash(at: $0.place))\n" } ?? ""
      var note = error.shown(keeping: "\n").withoutCommands
      note.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { memlab_crash_note_set($0.baseAddress, $0.count) }
      }
    }
  }

  private static func watch(_ limit: Duration, end: @Sendable (TrialError) -> Never) -> Never {
    var (seen, still) = (-1, 0)
    while true {
      if memlab_crash_note_wait(Int32(limit / .milliseconds(looks))) { speakLastWords() }
      let (now, current) = (moves.load(ordering: .relaxed), watched.withLock { $0 })
      let isStill = now == seen && current?.isResting == false
      (seen, still) = (now, isStill ? still + 1 : 0)
      guard still >= looks, let place = current?.place else { continue }
      let error = TrialError(
        place,
        reason: "nothing has moved for \(limit.components.seconds) seconds; is there a lock that "
          + "nobody releases, or a loop that never waits? On the virtual scheduler all tasks have "
          + "one thread: wait with 'await' instead")
      words.withLock { $0 }?.body(error)
      end(error)
    }
  }

  // The crashed thread waits two seconds at most, because the body may need a lock that it holds.
  private static func speakLastWords() {
    if let place = watched.withLock({ $0?.place }) { words.withLock { $0 }?.body(crash(at: place)) }
    memlab_crash_note_release()
  }

  private static func crash(at place: TrialPlace) -> TrialError {
    TrialError(place, reason: "the code has crashed")
  }
}
