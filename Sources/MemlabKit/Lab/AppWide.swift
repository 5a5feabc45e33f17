import HeapGraph
import Synchronization

/// What an app keeps for as long as it runs: its run loop, its network session, its disk.
///
/// A trial's sources of events have to outlive everything under study until the measurement is
/// over; if the last step dropped them, a leak that they cause would be gone before it is counted.
package enum AppWide {
  // Nobody reads the source; it is only held.
  private struct Kept: @unchecked Sendable {
    // Not the ledger itself: a source may hold it, and would then hold itself.
    let trial: ObjectIdentifier
    let source: AnyObject
  }

  // Only those of the trials under way, so that the list stays short however many there are.
  private static let kept = Mutex<[Kept]>([])
  private static let leaking = Mutex<[Kept]>([])

  /// Keeps a source until the trial is over and measured; for good if the trial leaks.
  @discardableResult
  package static func keep<Source: AnyObject>(_ source: Source, for trial: Ledger) -> Source {
    kept.withLock { kept in
      // A new array, for the heap's witness knows only what this trial has allocated; with -O, an
      // addition uses the old one again.
      var longer: [Kept] = []
      longer.reserveCapacity(kept.count + 1)
      longer += kept
      longer.append(Kept(trial: ObjectIdentifier(trial), source: source))
      kept = longer
    }
    return source
  }

  /// Lets go of a trial's sources, now that it has been measured.
  ///
  /// Where anything is left alive they stay: it may be a source that holds it, and the leak would
  /// end with the source.
  static func release(after trial: Ledger) {
    let sources = HeapRecording.withoutRecording {
      let sources = take(of: trial)
      if Verdict.measured(from: trial.totals) == .leak {
        leaking.withLock { $0.append(contentsOf: sources) }
      }
      return sources
    }
    // What goes now goes outside of the lock, which its deinit may want.
    withExtendedLifetime(sources) {}
  }

  private static func take(of trial: Ledger) -> [Kept] {
    kept.withLock { kept in
      let sources = kept.filter { $0.trial == ObjectIdentifier(trial) }
      if !sources.isEmpty { kept.removeAll { $0.trial == ObjectIdentifier(trial) } }
      return sources
    }
  }
}
