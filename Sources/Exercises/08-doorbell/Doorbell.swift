// Whoever waits for a doorbell goes on when it rings. Somebody who is cancelled while waiting waits
// for ever. Mend it so that a cancelled visitor leaves. (One visitor at a time is enough.)

import MemlabKit
import Synchronization

final class Doorbell: DoorbellUnderStudy {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
  private let probe = Probe(Doorbell.self)

  func wait() async {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0 = continuation }
    }
  }

  func ring() {
    waiting.withLock { $0.take() }?.resume()
  }
}
