/// Something that can be called off.
public protocol Cancellable {
  /// Calls it off; a second call does nothing.
  func cancel()
}

/// Owns a subscription: cancels it when the last reference to this object goes away.
///
/// It holds its subscriber, which holds the closures of a `sink` or the object of an
/// `assign(to:on:)`. Stored in that object it closes a cycle, the one that document 003 begins with.
public final class AnyCancellable: Cancellable, Hashable {
  private let content: Locked<(any Cancellable)?>

  /// Owns something that can be cancelled.
  public init<C: Cancellable>(_ canceller: C) {
    content = Locked(canceller)
  }

  /// Runs a closure when cancelled.
  public convenience init(_ cancel: @escaping () -> Void) {
    self.init(Action(run: cancel))
  }

  deinit {
    cancel()
  }

  /// Cancels and lets go of what was cancelled.
  public func cancel() {
    content.exchange(nil)?.cancel()
  }

  /// Keeps this object in a collection, and so the subscription for as long as that is there.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps this object in a set, and so the subscription for as long as that is there.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// Whether both are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
    left === right
  }

  /// Hashes which object this is.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }

  private struct Action: Cancellable {
    let run: () -> Void
    func cancel() { run() }
  }
}
