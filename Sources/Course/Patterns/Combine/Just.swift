/// Publishes one value and finishes.
public struct Just<Output>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// A publisher of this value.
  public init(_ output: Output) { self.output = output }

  /// Delivers the value as soon as the subscriber asks for it.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Never {
    subscriber.receive(subscription: Once(output: output, downstream: subscriber))
  }

  private final class Once: Subscription {
    private let output: Output
    private let downstream: Locked<(any Subscriber<Output, Never>)?>

    init(output: Output, downstream: any Subscriber<Output, Never>) {
      self.output = output
      self.downstream = Locked(downstream)
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand == .unlimited, let downstream = downstream.exchange(nil) else { return }
      _ = downstream.receive(output)
      downstream.receive(completion: .finished)
    }

    func cancel() { _ = downstream.exchange(nil) }
  }
}

/// Publishes no values.
public struct Empty<Output, Failure: Error>: Publisher {
  /// Whether it finishes at once, rather than never.
  public let completeImmediately: Bool

  /// A publisher of nothing.
  ///
  /// - Parameter completeImmediately: whether it finishes at once, rather than never.
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// Finishes at once, or does nothing.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}
