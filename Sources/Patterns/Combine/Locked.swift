import Synchronization

/// A value that one thread at a time may touch, Sendable or not.
///
/// What is taken out of it is to be called, and let go of, after the lock has been given back: a
/// closure may send into the very subject that holds the lock, and the last reference to an object
/// runs its `deinit`.
struct Locked<Value>: ~Copyable {
  private let mutex: Mutex<Guarded<Value>>

  /// A locked value.
  init(_ value: Value) {
    mutex = Mutex(Guarded(value: value))
  }

  /// Reads or changes the value while nobody else can.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { Guarded(value: body(&$0.value)) }.value
  }

  /// Puts another value in its place and returns the old one.
  func exchange(_ value: Value) -> Value {
    withLock { old in
      defer { old = value }
      return old
    }
  }
}

extension Locked: @unchecked Sendable {}

/// A value that is touched under a lock alone.
///
/// Subscribers are not Sendable, and Mutex insists; here it is the lock that makes it right.
struct Guarded<Value>: @unchecked Sendable {
  var value: Value
}
