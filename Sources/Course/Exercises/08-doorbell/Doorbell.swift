// A visitor waits for a doorbell until it rings. A visitor who is cancelled while waiting waits
// forever. Fix it so that a cancelled visitor leaves. (One visitor at a time is enough.)

import MemlabKit
import Synchronization

/// The doorbell.
final class Doorbell: DoorbellUnderStudy {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
  private let probe = Probe(Doorbell.self)

  /// Returns when the bell rings the next time.
  func wait() async {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0 = continuation }
    }
  }

  /// Rings the bell.
  func ring() {
    waiting.withLock { $0.take() }?.resume()
  }
}
