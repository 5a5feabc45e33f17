import CMemlabLab
import MemlabPlatform

/// A barrier: threads wait until a given number of them have arrived.
///
/// It makes a race certain: every thread reads, all meet, and only then does any of them write.
public final class Rendezvous: @unchecked Sendable {
  private let parties: Int
  private var arrived = 0
  private var hasTimedOut = false
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// A barrier for so many threads.
  public init(parties: Int) {
    self.parties = parties
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Waits until all threads have arrived; after that, returns at once.
  public func wait() {
    locked {
      enter()
      while arrived < parties { pthread_cond_wait(condition, mutex) }
    }
  }

  /// Counts as arrived without waiting, for a thread that is blocked by something else.
  public func arrive() { locked(enter) }

  /// Waits like ``wait()``, but not longer than this.
  ///
  /// - Parameter milliseconds: the longest wait, in real time.
  func wait(milliseconds: Int) {
    locked {
      enter()
      // The clocks of the lab's own thread do not move: a deadline that they show is over already.
      let end = Int(memlab_real_nanoseconds(CLOCK_REALTIME)) + milliseconds * 1_000_000
      var deadline = timespec(tv_sec: end / 1_000_000_000, tv_nsec: end % 1_000_000_000)
      while arrived < parties {
        if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
          hasTimedOut = true
          return
        }
      }
    }
  }

  /// Whether all threads arrived before any wait timed out.
  var isComplete: Bool { locked { arrived >= parties && !hasTimedOut } }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  private func enter() {
    arrived += 1
    if arrived >= parties { pthread_cond_broadcast(condition) }
  }
}
