// A visitor waits for a doorbell until it rings, or until the visitor's task is cancelled.
// Whichever comes first takes the continuation and resumes it, so it is resumed exactly once.

import MemlabExercises
import MemlabKit
import Synchronization

/// The doorbell.
final class Doorbell: DoorbellUnderStudy {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
  private let probe = Probe(Doorbell.self)

  /// Returns when the bell has rung.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        // The task was cancelled before there was a continuation, and the handler has already run.
        if Task.isCancelled { ring() }
      }
    } onCancel: {
      ring()
    }
  }

  /// Rings the bell.
  func ring() {
    waiting.withLock { $0.take() }?.resume()
  }
}
