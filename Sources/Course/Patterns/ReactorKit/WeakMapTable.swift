import Synchronization

/// Values that belong to objects, and are released with them.
///
/// After ReactorKit, where it gives every reactor its dispose bag. The table identifies a key by
/// the serial number of its ``DeathHook`` and not by its address, and does not hold it. A value
/// that holds its own key keeps both alive forever, because the table holds the value.
// snippet:code
public final class WeakMapTable<Value>: @unchecked Sendable {
  // Guarded by the lock.
  private var values: [Int: Value] = [:]
  private let lock = Mutex(())

  /// An empty table.
  public init() {}

  /// How many values there are.
  public var count: Int { lock.withLock { _ in values.count } }

  /// The value of a key, made on first use.
  ///
  /// - Parameter default: makes the value; not called when there is one.
  public func value(
    forKey key: some WeakMapKey, default makeValue: @autoclosure () -> Value
  ) -> Value {
    let serial = key.deathHook.serial
    if let value = find(serial) { return value }
    // Not under the lock: making a value may ask this table for another one.
    let value = makeValue()
    setValue(value, forKey: key)
    return value
  }

  /// Sets the value of a key.
  public func setValue(_ value: Value, forKey key: some WeakMapKey) {
    let serial = key.deathHook.serial
    let isFirst = exchange(value, for: serial) == nil
    if isFirst { key.deathHook.whenGone { [weak self] in _ = self?.exchange(nil, for: serial) } }
  }

  private func find(_ serial: Int) -> Value? {
    var value: Value?
    lock.withLock { _ in value = values[serial] }
    return value
  }

  /// The old value is returned so that it goes when the lock is free: its `deinit` may come back.
  private func exchange(_ value: Value?, for serial: Int) -> Value? {
    var old: Value?
    lock.withLock { _ in
      old = values[serial]
      values[serial] = value
    }
    return old
  }
}
// snippet:end

/// Reports the deinit of the object that stores it.
///
/// Objective-C ties a value to a key's life with an associated object. Pure Swift has none, so the
/// key must store a hook. A stored property is released with its object, after the body of the
/// object's `deinit`, and then the hook's own `deinit` runs.
///
/// ```swift
/// final class CounterReactor: WeakMapKey {
///   let deathHook = DeathHook()
/// }
/// ```
public final class DeathHook: Sendable {
  /// The object's number, from 1. No other object gets the same number. (An address is used again
  /// at once by the allocator.)
  public let serial: Int
  private let actions = Mutex<[@Sendable () -> Void]>([])

  private static let lastSerial = Atomic(0)

  /// A hook for one object.
  public init() { serial = Self.lastSerial.add(1, ordering: .relaxed).newValue }

  deinit {
    for action in actions.withLock({ $0 }) { action() }
  }

  /// Adds an action to run when the object is deinitialised.
  func whenGone(_ action: @escaping @Sendable () -> Void) { actions.withLock { $0.append(action) } }
}

/// A key of a ``WeakMapTable``.
public protocol WeakMapKey: AnyObject {
  /// The hook. Store it in the object, and nowhere else.
  var deathHook: DeathHook { get }
}
