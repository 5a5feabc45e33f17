import MemlabHeapModel
import Synchronization

/// What an app keeps for as long as it runs: its run loop, its network session, its disk.
///
/// A trial's sources of events must outlive the measurement. If the last step released them, a leak
/// that they cause would be gone before it is counted.
public enum AppWide {
  // The source is never read, only held.
  private struct Kept: @unchecked Sendable {
    // Not the ledger itself: if the source holds the ledger, that would be a retain cycle.
    let trial: ObjectIdentifier
    let source: AnyObject
  }

  // Only the sources of trials that are still running, so that the list stays short.
  private static let kept = Mutex<[Kept]>([])
  private static let leaking = Mutex<[Kept]>([])

  /// Keeps a source until the trial has been measured; if the trial leaks, until the process ends.
  ///
  /// - Parameters:
  ///   - source: what is kept.
  ///   - trial: the trial's ledger.
  /// - Returns: the source.
  @discardableResult
  public static func keep<Source: AnyObject>(_ source: Source, for trial: Ledger) -> Source {
    kept.withLock { kept in
      // Allocate afresh so that this trial's recorder sees the buffer; `-O` would reuse the old one.
      var longer: [Kept] = []
      longer.reserveCapacity(kept.count + 1)
      longer += kept
      longer.append(Kept(trial: ObjectIdentifier(trial), source: source))
      kept = longer
    }
    return source
  }

  /// Releases a trial's sources after its measurement.
  ///
  /// If the trial leaks, they are kept: a source may hold the leak, which would end with the source.
  static func release(after trial: Ledger) {
    let sources = HeapRecording.withoutRecording {
      let sources = take(of: trial)
      if Verdict.measured(from: trial.totals) == .leak {
        leaking.withLock { $0.append(contentsOf: sources) }
      }
      return sources
    }
    // Released outside of the lock, which a deinit may need.
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
