/// A publisher that is told from outside what to publish.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Publishes a value.
  func send(_ value: Output)
  /// Ends; nothing is published after that.
  func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
  /// Publishes that something has happened.
  public func send() { send(()) }
}

/// The subscriptions to a subject.
struct Conduits<Output, Failure: Error>: ~Copyable {
  // Not private, for the reason that Joint has.
  struct State {
    var conduits: [Conduit<Output, Failure>] = []
    var completion: Subscribers.Completion<Failure>?
  }

  private let state = Locked(State())

  /// Subscribes somebody to the subject that these are of.
  ///
  /// - Returns: the subscription; nil when the subject is over.
  func add<S: Subscriber<Output, Failure>>(
    _ subscriber: S, to subject: any Disconnecting
  ) -> Conduit<Output, Failure>? {
    let conduit = Conduit(subject: subject, downstream: subscriber)
    let completion = state.withLock { state in
      if state.completion == nil { state.conduits.append(conduit) }
      return state.completion
    }
    guard let completion else {
      subscriber.receive(subscription: conduit)
      return conduit
    }
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: completion)
    return nil
  }

  /// Delivers a value to all that are subscribed at this moment, the oldest first.
  func send(_ value: Output) {
    for conduit in state.withLock({ $0.conduits }) { conduit.offer(value) }
  }

  /// Ends all subscriptions and lets go of them.
  func finish(_ completion: Subscribers.Completion<Failure>) {
    let ended = state.withLock { state -> [Conduit<Output, Failure>] in
      guard state.completion == nil else { return [] }
      defer { state = State(completion: completion) }
      return state.conduits
    }
    for conduit in ended { conduit.finish(completion) }
  }

  /// Lets go of a subscription that was cancelled.
  func remove(_ conduit: AnyObject) {
    state.withLock { $0.conduits.removeAll { $0 === conduit } }
  }
}

/// A subject that a subscription can be taken out of.
protocol Disconnecting: AnyObject {
  /// Lets go of a subscription.
  func disconnect(_ conduit: AnyObject)
}

/// One subscription to a subject.
///
/// It holds the subscriber, and the subject too: a subject lives while anybody is subscribed to it.
/// Cancelling and completion part the three.
final class Conduit<Output, Failure: Error>: Subscription {
  private struct Ends {
    var subject: (any Disconnecting)?
    var downstream: (any Subscriber<Output, Failure>)?
  }

  private let ends: Locked<Ends>

  init(subject: any Disconnecting, downstream: any Subscriber<Output, Failure>) {
    ends = Locked(Ends(subject: subject, downstream: downstream))
  }

  func offer(_ value: Output) {
    _ = ends.withLock { $0.downstream }?.receive(value)
  }

  func finish(_ completion: Subscribers.Completion<Failure>) {
    ends.exchange(Ends()).downstream?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() {
    ends.exchange(Ends()).subject?.disconnect(self)
  }
}
