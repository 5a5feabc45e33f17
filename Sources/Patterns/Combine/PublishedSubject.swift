extension Publisher where Failure == Never {
  /// Writes each value into a published property for as long as that property exists.
  ///
  /// Nothing is returned, so nothing can be cancelled; calling it twice makes two subscriptions
  /// (document 003).
  ///
  /// - Parameter published: the property's publisher, as in `assign(to: &$time)`.
  public func assign(to published: inout Published<Output>.Publisher) {
    subscribe(PublishedSubscriber(subject: published.subject))
  }
}

/// Where a published property keeps its value.
///
/// It owns the subscriptions of `assign(to:)` and cancels them when it goes away: with its object,
/// unless somebody who is subscribed to `$property` still holds it.
final class PublishedSubject<Value> {
  let objectWillChange = Locked<ObservableObjectPublisher?>(nil)
  private let conduits = Conduits<Value, Never>()
  private let current: Locked<Value>
  private let sources = Locked<[any Subscription]>([])

  init(_ value: Value) {
    current = Locked(value)
  }

  deinit {
    for source in sources.exchange([]) { source.cancel() }
  }

  var value: Value { current.withLock { $0 } }

  func receive<S: Subscriber<Value, Never>>(subscriber: S) {
    conduits.add(subscriber, to: self)?.offer(value)
  }

  /// Announces a value, and only then keeps it.
  func send(_ value: Value) {
    objectWillChange.withLock { $0 }?.send()
    conduits.send(value)
    _ = current.exchange(value)
  }

  func keep(_ source: any Subscription) {
    sources.withLock { $0.append(source) }
    source.request(.unlimited)
  }
}

extension PublishedSubject: Disconnecting {
  func disconnect(_ conduit: AnyObject) {
    conduits.remove(conduit)
  }
}

/// The subscriber of `assign(to:)`; weak, so that the property decides how long it is fed.
private final class PublishedSubscriber<Value>: Subscriber {
  private weak var subject: PublishedSubject<Value>?

  init(subject: PublishedSubject<Value>) {
    self.subject = subject
  }

  func receive(subscription: any Subscription) {
    subject?.keep(subscription)
  }

  func receive(_ value: Value) -> Subscribers.Demand {
    subject?.send(value)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
