extension Publisher {
  /// Publishes the result of a closure for each value.
  ///
  /// The closure and its captures stay alive as long as a subscription exists.
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }

  /// Publishes a property of each value.
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self) { $0[keyPath: keyPath] }
  }
}

extension Publishers {
  /// The publisher of `map`.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    /// The failure of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The publisher of the values.
    let upstream: Upstream
    /// Changes a value.
    let transform: (Upstream.Output) -> Output

    /// Begins to deliver to this subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Inner(downstream: subscriber, transform: transform))
    }

    // The subscription is passed on unchanged: this operator has nothing to release at its end.
    private final class Inner<Downstream: Subscriber<Output, Failure>>: Subscriber {
      private let downstream: Downstream
      private let transform: (Upstream.Output) -> Output

      init(downstream: Downstream, transform: @escaping (Upstream.Output) -> Output) {
        self.downstream = downstream
        self.transform = transform
      }

      func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
      }

      func receive(_ value: Upstream.Output) -> Subscribers.Demand {
        downstream.receive(transform(value))
      }

      func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: completion)
      }
    }
  }
}
