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
    private struct Closures {
      let receiveCompletion: (Completion<Failure>) -> Void
      let receiveValue: (Input) -> Void
    }

    private let state: Terminal<Closures>

    /// A subscriber that calls these closures.
    public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      state = Terminal(Closures(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    }

    /// Asks for all values. Cancels a second subscription, or one that comes too late.
    public func receive(subscription: any Subscription) { state.connect(subscription) }

    /// Calls the closure for values.
    public func receive(_ value: Input) -> Demand {
      state.content?.receiveValue(value)
      return .none
    }

    /// Releases everything, then calls the closure for completions.
    public func receive(completion: Completion<Failure>) {
      state.end().content?.receiveCompletion(completion)
    }

    /// Releases everything and cancels the subscription.
    public func cancel() { state.end().subscription?.cancel() }
  }
}

extension Publisher where Failure == Never {
  /// Writes each value to a property of an object, which it holds strongly.
  ///
  /// If the object stores the result, the two form a retain cycle.
  ///
  /// - Returns: the owner of the subscription. The object stays alive until it is cancelled or
  ///   released, or the publisher completes.
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}

extension Subscribers {
  /// The subscriber of `assign(to:on:)`.
  ///
  /// It holds the object strongly until it is cancelled or the publisher completes.
  public final class Assign<Root, Input>: Subscriber, Cancellable {
    /// Nothing that this subscribes to can fail.
    public typealias Failure = Never

    private let keyPath: ReferenceWritableKeyPath<Root, Input>
    private let state: Terminal<Root>

    /// A subscriber that writes to this property of this object.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      self.keyPath = keyPath
      state = Terminal(object)
    }

    /// The object; nil once this is over.
    public var object: Root? { state.content }

    /// Asks for all values. Cancels a second subscription, or one that comes too late.
    public func receive(subscription: any Subscription) { state.connect(subscription) }

    /// Writes the value.
    public func receive(_ value: Input) -> Demand {
      object?[keyPath: keyPath] = value
      return .none
    }

    /// Releases the object.
    public func receive(completion: Completion<Never>) { _ = state.end() }

    /// Releases the object and cancels the subscription.
    public func cancel() { state.end().subscription?.cancel() }
  }
}

/// What the last subscriber of a pipeline holds until its end.
struct Terminal<Content>: ~Copyable {
  // Not private, for the same reason as in Joint.
  /// What the lock protects.
  struct State {
    /// What the subscriber works with; nil after the end.
    var content: Content?
    /// The subscription that values come from.
    var subscription: (any Subscription)?
  }

  private let state: Locked<State>

  /// A subscriber that works with this, and has no subscription yet.
  init(_ content: Content) { state = Locked(State(content: content)) }

  /// What the subscriber works with; nil after the end.
  var content: Content? { state.withLock { $0.content } }

  /// Asks for all values. Cancels a second subscription, or one that comes too late.
  func connect(_ subscription: any Subscription) {
    let isWanted = state.withLock { state in
      guard state.content != nil, state.subscription == nil else { return false }
      state.subscription = subscription
      return true
    }
    if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  /// Releases everything.
  ///
  /// - Returns: what was held until now.
  func end() -> State { state.exchange(State()) }
}
