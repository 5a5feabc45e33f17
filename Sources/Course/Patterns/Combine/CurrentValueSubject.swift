/// A subject that keeps the last value, and sends it first to each new subscriber.
///
/// It holds its subscribers until they cancel or it completes.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let conduits = Conduits<Output, Failure>()
  private let current: Locked<Output>

  /// A subject with this value.
  public init(_ value: Output) { current = Locked(value) }

  /// The last value. Setting it sends the new value.
  public var value: Output {
    get { current.withLock { $0 } }
    set { send(newValue) }
  }

  /// Delivers the last value, then all values that are sent from now on.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure { conduits.add(subscriber, to: self)?.offer(value) }

  /// Keeps a value and delivers it to all subscribers.
  public func send(_ value: Output) {
    _ = current.exchange(value)
    conduits.send(value)
  }

  /// Ends all subscriptions and releases the subscribers.
  public func send(completion: Subscribers.Completion<Failure>) { conduits.finish(completion) }
}

extension CurrentValueSubject: Disconnecting {
  /// Removes a subscription.
  func disconnect(_ conduit: AnyObject) { conduits.remove(conduit) }
}
