import MemlabKit
import Synchronization

/// A shared value that stops its writers between their read and their write.
///
/// Changing a computed property is a read, the change and a write back. Here every read waits until
/// all writers have read, so all of them start from the same value. The storage is locked, so this
/// shows the lost update without undefined behaviour.
@propertyWrapper
final class Held<Value: Sendable>: Sendable {
  /// Where the writers wait for each other after their reads.
  let meeting: Rendezvous
  private let storage: Mutex<Value>

  /// A value that this many writers share. A single writer does not wait.
  init(_ value: Value, writers: Int) {
    storage = Mutex(value)
    meeting = Rendezvous(parties: writers)
  }

  /// A property of this value that this many writers share.
  convenience init(wrappedValue: Value, writers: Int) { self.init(wrappedValue, writers: writers) }

  /// The value as a writer sees it.
  var value: Value {
    get {
      let read = current
      meeting.wait()
      return read
    }
    set { storage.withLock { $0 = newValue } }
  }

  /// The property as a writer sees it.
  var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The current value, read without waiting.
  var current: Value { storage.withLock { $0 } }
}
