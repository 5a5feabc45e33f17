import Synchronization

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
