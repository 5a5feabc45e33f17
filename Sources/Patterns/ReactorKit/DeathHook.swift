import Synchronization

/// Tells that the object which stores it has gone.
///
/// Objective-C ties a value to a key's life with an associated object. Pure Swift has none, so the
/// key has to lend a hand and store a hook; a stored property is released with its object, after
/// the body of the object's `deinit`, and the hook's own `deinit` says so.
///
/// ```swift
/// final class CounterReactor: WeakMapKey {
///   let deathHook = DeathHook()
/// }
/// ```
public final class DeathHook: Sendable {
  /// The object's number, from 1, which is never given to another one. (An address is: the
  /// allocator uses it again at once.)
  public let serial: Int
  private let actions = Mutex<[@Sendable () -> Void]>([])

  private static let lastSerial = Atomic(0)

  /// A hook for one object.
  public init() {
    serial = Self.lastSerial.add(1, ordering: .relaxed).newValue
  }

  deinit {
    for action in actions.withLock({ $0 }) { action() }
  }

  /// Adds what is to be done when the object goes.
  func whenGone(_ action: @escaping @Sendable () -> Void) {
    actions.withLock { $0.append(action) }
  }
}

/// An object that a ``WeakMapTable`` can outlive the values of.
public protocol WeakMapKey: AnyObject {
  /// Stored in the object, and nowhere else.
  var deathHook: DeathHook { get }
}
