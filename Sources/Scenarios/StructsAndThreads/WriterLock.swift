import MemlabKit
import Synchronization

/// A lock around a ``Held`` value.
///
/// A held value waits for all writers between its read and its write, and those that a lock keeps
/// out never get there. So who finds the lock taken counts as come: the writer inside goes on as
/// soon as all others stand before the lock. Without the lock all of them meet inside.
final class WriterLock: Sendable {
  private let mutex = Mutex(())
  private let meeting: Rendezvous

  /// A lock for this value's writers.
  init<Value>(around held: Held<Value>) {
    meeting = held.meeting
  }

  /// Runs a change while nobody else can.
  func withLock(_ change: () -> Void) {
    if mutex.withLockIfAvailable({ _ in change() }) != nil { return }
    meeting.arrive()
    mutex.withLock { _ in change() }
  }
}
