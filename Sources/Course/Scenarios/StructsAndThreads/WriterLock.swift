import MemlabKit
import Synchronization

/// A lock around a ``Held`` value.
///
/// A held value waits for all writers between its read and its write. Writers that wait for a lock
/// never get there, so a writer that finds the lock taken counts as arrived: the writer inside
/// continues when all others wait for the lock. Without the lock all of them meet inside.
final class WriterLock: Sendable {
  private let mutex = Mutex(())
  private let meeting: Rendezvous

  /// A lock for this value's writers.
  init<Value>(around held: Held<Value>) { meeting = held.meeting }

  /// Runs a change while no other writer can.
  func withLock(_ change: () -> Void) {
    if mutex.withLockIfAvailable({ _ in change() }) != nil { return }
    meeting.arrive()
    mutex.withLock { _ in change() }
  }
}
