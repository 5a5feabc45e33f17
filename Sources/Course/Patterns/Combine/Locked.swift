import Synchronization

/// A value that only one thread at a time can use, Sendable or not.
///
/// Call or release a value that you take out of it only after the lock is released: a closure may
/// send to the subject that holds the lock, and releasing the last reference to an object runs its
/// `deinit`.
struct Locked<Value>: ~Copyable {
  private let mutex: Mutex<Guarded<Value>>

  /// A locked value.
  init(_ value: Value) { mutex = Mutex(Guarded(value: value)) }

  /// Reads or changes the value while no other thread can.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { Guarded(value: body(&$0.value)) }.value
  }

  /// Puts another value in its place and returns the old one.
  func exchange(_ value: Value) -> Value { withLock { Swift.exchange(&$0, with: value) } }
}

extension Locked: @unchecked Sendable {}

/// A value that is only used under a lock.
///
/// Subscribers are not Sendable, but Mutex requires it. Here the lock makes it correct.
struct Guarded<Value>: @unchecked Sendable {
  /// The value itself.
  var value: Value
}
