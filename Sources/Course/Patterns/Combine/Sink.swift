extension Publisher {
  /// Calls a closure with each value, and another one at the end.
  ///
  /// - Returns: the owner of the subscription. Both closures and their captures stay alive until it
  ///   is cancelled or released, or the publisher completes.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Calls a closure with each value.
  ///
  /// - Returns: the owner of the subscription. The closure and its captures stay alive until it is
  ///   cancelled or released, or the publisher completes.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Subscribers {
  /// The subscriber of `sink`.
  ///
  /// It holds its subscription, and the subscription holds it. Cancelling and completion cut this
  /// cycle and release the closures.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    private struct State {
      var receiveCompletion: ((Completion<Failure>) -> Void)?
      var receiveValue: ((Input) -> Void)?
      var subscription: (any Subscription)?
    }

    private let state: Locked<State>

    /// A subscriber that calls these closures.
    public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) { state = Locked(State(receiveCompletion: receiveCompletion, receiveValue: receiveValue)) }

    /// Asks for all values. Cancels a second subscription, or one that comes too late.
    public func receive(subscription: any Subscription) {
      let isWanted = state.withLock { state in
        guard state.receiveValue != nil, state.subscription == nil else { return false }
        state.subscription = subscription
        return true
      }
      if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    /// Calls the closure for values.
    public func receive(_ value: Input) -> Demand {
      state.withLock { $0.receiveValue }?(value)
      return .none
    }

    /// Releases everything, then calls the closure for completions.
    public func receive(completion: Completion<Failure>) {
      state.exchange(State()).receiveCompletion?(completion)
    }

    /// Releases everything and cancels the subscription.
    public func cancel() { state.exchange(State()).subscription?.cancel() }
  }
}
