/// A subject that keeps no value: who subscribes late misses what was sent before.
///
/// It retains its subscribers until they cancel or it completes.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let conduits = Conduits<Output, Failure>()

  /// A subject that nobody is subscribed to.
  public init() {}

  /// Delivers all that is sent from now on.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    _ = conduits.add(subscriber, to: self)
  }

  /// Delivers a value to everybody who is subscribed.
  public func send(_ value: Output) {
    conduits.send(value)
  }

  /// Ends all subscriptions and lets go of the subscribers.
  public func send(completion: Subscribers.Completion<Failure>) {
    conduits.finish(completion)
  }
}

extension PassthroughSubject: Disconnecting {
  func disconnect(_ conduit: AnyObject) {
    conduits.remove(conduit)
  }
}
