extension Publisher {
  /// Continues with another publisher when this one fails.
  ///
  /// - Parameter handler: makes the other publisher from the error.
  public func `catch`<P: Publisher>(
    _ handler: @escaping (Failure) -> P
  ) -> Publishers.Catch<Self, P> where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// The publisher of `catch`.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// What both publish.
    public typealias Output = Upstream.Output
    /// The failure of the other publisher; failures of the upstream publisher are caught.
    public typealias Failure = NewPublisher.Failure

    /// The publisher whose failure is caught.
    let upstream: Upstream
    /// Makes the publisher that replaces it.
    let handler: (Upstream.Failure) -> NewPublisher

    /// Begins to deliver to this subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Inner(downstream: subscriber, handler: handler))
    }

    private final class Inner<Downstream: Subscriber<Output, Failure>>: Subscriber, Subscription {
      private let joint: Joint<Downstream>
      private let handler: (Upstream.Failure) -> NewPublisher

      init(downstream: Downstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
        joint = Joint(downstream)
        self.handler = handler
      }

      func receive(subscription: any Subscription) {
        if joint.connect(subscription) { joint.downstream?.receive(subscription: self) }
      }

      func receive(_ value: Output) -> Subscribers.Demand {
        joint.downstream?.receive(value) ?? .none
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        switch completion {
        case .finished: joint.finish(.finished)
        case .failure(let error): handler(error).subscribe(Rescue(inner: self))
        }
      }

      func request(_ demand: Subscribers.Demand) { joint.request(demand) }
      func cancel() { joint.cancel() }

      /// The subscriber to the other publisher.
      private final class Rescue: Subscriber {
        private let inner: Inner

        init(inner: Inner) { self.inner = inner }

        func receive(subscription: any Subscription) {
          if inner.joint.connect(subscription) { subscription.request(.unlimited) }
        }

        func receive(_ value: Output) -> Subscribers.Demand { inner.receive(value) }

        func receive(completion: Subscribers.Completion<NewPublisher.Failure>) {
          inner.joint.finish(completion)
        }
      }
    }
  }
}
