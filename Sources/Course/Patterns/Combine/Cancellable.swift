/// Something that can be cancelled.
public protocol Cancellable {
  /// Cancels it. A second call does nothing.
  func cancel()
}

/// Owns a subscription, and cancels it in its deinit.
///
/// It holds its subscriber, which holds the closures of a `sink` or the object of an
/// `assign(to:on:)`. If that object stores it, the two form a retain cycle.
public final class AnyCancellable: Cancellable, Hashable {
  private let content: Locked<(any Cancellable)?>

  /// Owns something that can be cancelled.
  public init<C: Cancellable>(_ canceller: C) { content = Locked(canceller) }

  /// Runs a closure when cancelled.
  public convenience init(_ cancel: @escaping () -> Void) { self.init(Action(run: cancel)) }

  deinit { cancel() }

  /// Cancels, and releases what was cancelled.
  public func cancel() { content.exchange(nil)?.cancel() }

  /// Stores this object in a collection, which keeps the subscription alive.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable { collection.append(self) }

  /// Stores this object in a set, which keeps the subscription alive.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  /// Whether both are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  private struct Action: Cancellable {
    let run: () -> Void
    func cancel() { run() }
  }
}
