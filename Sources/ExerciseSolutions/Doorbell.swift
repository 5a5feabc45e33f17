// Whoever waits for a doorbell goes on when it rings, or when it is cancelled: whichever comes first
// takes the continuation and resumes it, so that it is resumed once.

import Exercises
import MemlabKit
import Synchronization

final class Doorbell: DoorbellUnderStudy {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
  private let probe = Probe(Doorbell.self)

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        // Cancelled before there was anything to resume: the handler has come and gone.
        if Task.isCancelled { ring() }
      }
    } onCancel: {
      ring()
    }
  }

  func ring() {
    waiting.withLock { $0.take() }?.resume()
  }
}
