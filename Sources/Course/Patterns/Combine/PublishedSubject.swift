extension Publisher where Failure == Never {
  /// Writes each value to a published property as long as that property exists.
  ///
  /// It returns nothing, so nothing can be cancelled. Calling it twice makes two subscriptions.
  ///
  /// - Parameter published: the property's publisher, as in `assign(to: &$time)`.
  public func assign(to published: inout Published<Output>.Publisher) {
    subscribe(PublishedSubscriber(subject: published.subject))
  }
}

/// The storage of a published property.
///
/// It owns the subscriptions of `assign(to:)` and cancels them in its deinit: together with its
/// object, unless a subscriber of `$property` still holds it.
final class PublishedSubject<Value> {
  /// The publisher of the object that has the property.
  let objectWillChange = Locked<ObservableObjectPublisher?>(nil)
  private let conduits = Conduits<Value, Never>()
  private let current: Locked<Value>
  private let sources = Locked<[any Subscription]>([])

  /// A property with this value.
  init(_ value: Value) { current = Locked(value) }

  deinit {
    for source in sources.exchange([]) { source.cancel() }
  }

  /// The current value.
  var value: Value { current.withLock { $0 } }

  /// Delivers the current value, then each new one.
  func receive<S: Subscriber<Value, Never>>(subscriber: S) {
    conduits.add(subscriber, to: self)?.offer(value)
  }

  /// Announces a value, then stores it.
  func send(_ value: Value) {
    objectWillChange.withLock { $0 }?.send()
    conduits.send(value)
    _ = current.exchange(value)
  }

  /// Holds the subscription of an `assign(to:)`.
  func keep(_ source: any Subscription) {
    sources.withLock { $0.append(source) }
    source.request(.unlimited)
  }
}

extension PublishedSubject: Disconnecting {
  /// Removes a subscription.
  func disconnect(_ conduit: AnyObject) { conduits.remove(conduit) }
}

/// The subscriber of `assign(to:)`. Its reference is weak, so the property decides how long it
/// receives values.
private final class PublishedSubscriber<Value>: Subscriber {
  private weak var subject: PublishedSubject<Value>?

  init(subject: PublishedSubject<Value>) { self.subject = subject }

  func receive(subscription: any Subscription) { subject?.keep(subscription) }

  func receive(_ value: Value) -> Subscribers.Demand {
    subject?.send(value)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
