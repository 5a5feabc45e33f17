/// A publisher whose values are sent from outside.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Publishes a value.
  func send(_ value: Output)
  /// Completes. Nothing is published afterwards.
  func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
  /// Publishes that something has happened.
  public func send() { send(()) }
}

/// The subscriptions to a subject.
struct Conduits<Output, Failure: Error>: ~Copyable {
  // Not private, for the same reason as in Joint.
  /// What the lock protects.
  struct State {
    /// The subscriptions, the oldest first.
    var conduits: [Conduit<Output, Failure>] = []
    /// How the subject completed; nil before.
    var completion: Subscribers.Completion<Failure>?
  }

  private let state = Locked(State())

  /// Subscribes a subscriber to this subject.
  ///
  /// - Returns: the subscription; nil if the subject has completed.
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

  /// Delivers a value to all current subscribers, the oldest first.
  func send(_ value: Output) {
    for conduit in state.withLock({ $0.conduits }) { conduit.offer(value) }
  }

  /// Ends all subscriptions and releases them.
  func finish(_ completion: Subscribers.Completion<Failure>) {
    let ended = state.withLock { state -> [Conduit<Output, Failure>] in
      guard state.completion == nil else { return [] }
      return exchange(&state, with: State(completion: completion)).conduits
    }
    for conduit in ended { conduit.finish(completion) }
  }

  /// Releases a cancelled subscription.
  func remove(_ conduit: AnyObject) { state.withLock { $0.conduits.removeAll { $0 === conduit } } }
}

/// What subscriptions can be removed from.
protocol Disconnecting<Output, Failure>: AnyObject {
  /// The type of its values.
  associatedtype Output
  /// The type of its failure.
  associatedtype Failure: Error
  /// The subscriptions.
  var conduits: Conduits<Output, Failure> { get }
}

extension Disconnecting {
  /// Removes a subscription.
  func disconnect(_ conduit: AnyObject) { conduits.remove(conduit) }
}

/// One subscription to a subject.
///
/// It holds the subscriber and the subject: a subject lives as long as it has a subscriber.
/// Cancelling and completion release both.
final class Conduit<Output, Failure: Error>: Subscription {
  private struct Ends {
    var subject: (any Disconnecting)?
    var downstream: (any Subscriber<Output, Failure>)?
  }

  private let ends: Locked<Ends>

  /// Connects a subscriber to a subject.
  init(subject: any Disconnecting, downstream: any Subscriber<Output, Failure>) {
    ends = Locked(Ends(subject: subject, downstream: downstream))
  }

  /// Delivers a value unless this has ended.
  func offer(_ value: Output) { _ = ends.withLock { $0.downstream }?.receive(value) }

  /// Delivers the completion, and releases both ends.
  func finish(_ completion: Subscribers.Completion<Failure>) {
    ends.exchange(Ends()).downstream?.receive(completion: completion)
  }

  /// Does nothing: every value is delivered.
  func request(_ demand: Subscribers.Demand) {}

  /// Takes this out of the subject, and releases both ends.
  func cancel() { ends.exchange(Ends()).subject?.disconnect(self) }
}

/// A subject that keeps the last value, and sends it first to each new subscriber.
///
/// It holds its subscribers until they cancel or it completes.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, Disconnecting {
  /// The subscriptions.
  let conduits = Conduits<Output, Failure>()
  private let current: Locked<Output>

  /// A subject with this value.
  public init(_ value: Output) { current = Locked(value) }

  /// The last value. Setting it sends the new value.
  public var value: Output {
    get { current.withLock { $0 } }
    set { send(newValue) }
  }

  /// Delivers the last value, then all values that are sent from now on.
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    conduits.add(subscriber, to: self)?.offer(value)
  }

  /// Keeps a value and delivers it to all subscribers.
  public func send(_ value: Output) {
    _ = current.exchange(value)
    conduits.send(value)
  }

  /// Ends all subscriptions and releases the subscribers.
  public func send(completion: Subscribers.Completion<Failure>) { conduits.finish(completion) }
}

/// A subject that keeps no value. A late subscriber misses earlier values.
///
/// It holds its subscribers until they cancel or it completes.
public final class PassthroughSubject<Output, Failure: Error>: Subject, Disconnecting {
  /// The subscriptions.
  let conduits = Conduits<Output, Failure>()

  /// A subject without subscribers.
  public init() {}

  /// Delivers all values that are sent from now on.
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    _ = conduits.add(subscriber, to: self)
  }

  /// Delivers a value to all subscribers.
  public func send(_ value: Output) { conduits.send(value) }

  /// Ends all subscriptions and releases the subscribers.
  public func send(completion: Subscribers.Completion<Failure>) { conduits.finish(completion) }
}
