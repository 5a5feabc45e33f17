import Synchronization

/// What an app keeps for as long as it runs: its run loop, its network session, its disk.
///
/// A trial's sources of events have to outlive everything under study until the measurement is
/// over; if the last step dropped them, a leak that they cause would be gone before it is counted.
public enum AppWide {
  // Nobody reads the source; it is only held.
  private struct Kept: @unchecked Sendable {
    weak var trial: Ledger?
    let source: AnyObject
  }

  private static let kept = Mutex<[Kept]>([])

  /// Keeps a source until the trial is over, and lets go of those of earlier trials.
  ///
  /// A leaked object's probe holds its trial's ledger, so what leaks keeps its source as well.
  @discardableResult
  public static func keep<Source: AnyObject>(_ source: Source, for trial: Ledger) -> Source {
    let over = kept.withLock { kept in
      let over = kept.filter { $0.trial == nil }
      // A new array, for the heap's witness knows only what this trial has allocated.
      kept = kept.filter { $0.trial != nil } + [Kept(trial: trial, source: source)]
      return over
    }
    withExtendedLifetime(over) {}
    return source
  }
}
