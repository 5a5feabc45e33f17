extension Publisher {
  /// Subscribes to the publisher that a closure makes from each value, and publishes the values of
  /// all of them in the order in which they arrive.
  ///
  /// The closure and its captures stay alive as long as a subscription exists. Each of its
  /// publishers stays alive until it completes.
  public func flatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// The publisher of `flatMap`.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The output of the closure's publishers.
    public typealias Output = NewPublisher.Output
    /// The failure of the upstream publisher or of one of the closure's publishers.
    public typealias Failure = Upstream.Failure

    /// The publisher of the values to turn into publishers.
    let upstream: Upstream
    /// Makes a publisher from a value.
    let transform: (Upstream.Output) -> NewPublisher

    /// Begins to deliver to this subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.subscribe(FlatMapInner(downstream: subscriber, transform: transform))
    }
  }
}

/// One subscription through a `flatMap`.
private final class FlatMapInner<
  Input, NewPublisher: Publisher, Downstream: Subscriber<NewPublisher.Output, NewPublisher.Failure>
>: Relay {
  typealias Failure = NewPublisher.Failure

  private struct Children {
    var running: [Int: any Subscription] = [:]
    var begun = 0
    var ended = 0
    var isLast = false

    var areOver: Bool { isLast && begun == ended }
  }

  let joint: Joint<Downstream>
  private let transform: (Input) -> NewPublisher
  private let children = Locked(Children())

  init(downstream: Downstream, transform: @escaping (Input) -> NewPublisher) {
    joint = Joint(downstream)
    self.transform = transform
  }

  func receive(_ value: Input) -> Subscribers.Demand {
    guard joint.downstream != nil else { return .none }
    let index = children.withLock { children in
      children.begun += 1
      return children.begun
    }
    transform(value).subscribe(Child(of: self, index: index))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard case .finished = completion else { return end(completion) }
    let areOver = children.withLock { children in
      children.isLast = true
      return children.areOver
    }
    if areOver { end(.finished) }
  }

  func cancel() {
    joint.cancel()
    cancelChildren()
  }

  private func end(_ completion: Subscribers.Completion<Failure>) {
    joint.end(completion)
    cancelChildren()
  }

  private func cancelChildren() {
    for child in children.exchange(Children()).running.values { child.cancel() }
  }

  /// The subscriber to one of the closure's publishers.
  private final class Child: Subscriber {
    private let parent: FlatMapInner
    private let index: Int

    init(of parent: FlatMapInner, index: Int) { (self.parent, self.index) = (parent, index) }

    func receive(subscription: any Subscription) {
      guard parent.joint.downstream != nil else { return subscription.cancel() }
      parent.children.withLock { $0.running[index] = subscription }
      subscription.request(.unlimited)
    }

    func receive(_ value: NewPublisher.Output) -> Subscribers.Demand {
      _ = parent.joint.downstream?.receive(value)
      return .none
    }

    func receive(completion: Subscribers.Completion<NewPublisher.Failure>) {
      guard case .finished = completion else { return parent.end(completion) }
      let (ended, areOver) = parent.children.withLock { children in
        children.ended += 1
        return (children.running.removeValue(forKey: index), children.areOver)
      }
      withExtendedLifetime(ended) {}
      if areOver { parent.end(.finished) }
    }
  }
}
