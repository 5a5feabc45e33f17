/// A subject that keeps no value. A late subscriber misses earlier values.
///
/// It holds its subscribers until they cancel or it completes.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let conduits = Conduits<Output, Failure>()

  /// A subject without subscribers.
  public init() {}

  /// Delivers all values that are sent from now on.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure { _ = conduits.add(subscriber, to: self) }

  /// Delivers a value to all subscribers.
  public func send(_ value: Output) { conduits.send(value) }

  /// Ends all subscriptions and releases the subscribers.
  public func send(completion: Subscribers.Completion<Failure>) { conduits.finish(completion) }
}

extension PassthroughSubject: Disconnecting {
  /// Removes a subscription.
  func disconnect(_ conduit: AnyObject) { conduits.remove(conduit) }
}
