/// Holds both ends of the pipeline for an operator, upstream and downstream, while a subscription
/// exists.
///
/// Completion and cancelling release both ends, and so the rest of the pipeline.
struct Joint<Downstream: Subscriber>: ~Copyable {
  // Not private: a private type inside a noncopyable generic one crashes the compiler (6.3.1) where
  // another file stores the outer one.
  /// The two ends; both are nil after the end.
  struct Ends {
    /// The subscription that values come from.
    var upstream: (any Subscription)?
    /// The subscriber that values go to.
    var downstream: Downstream?
  }

  private let ends: Locked<Ends>

  /// A joint that waits for its upstream.
  init(_ downstream: Downstream) { ends = Locked(Ends(downstream: downstream)) }

  /// The downstream subscriber; nil after the end.
  var downstream: Downstream? { ends.withLock { $0.downstream } }

  /// Holds a new upstream subscription in place of one that has ended.
  ///
  /// - Returns: whether it holds it. After the end, it cancels the upstream subscription instead.
  func connect(_ upstream: any Subscription) -> Bool {
    let isWanted = ends.withLock { ends in
      guard ends.downstream != nil else { return false }
      ends.upstream = upstream
      return true
    }
    if !isWanted { upstream.cancel() }
    return isWanted
  }

  /// Passes a request upstream.
  func request(_ demand: Subscribers.Demand) { ends.withLock { $0.upstream }?.request(demand) }

  /// Passes the completion downstream.
  func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    ends.exchange(Ends()).downstream?.receive(completion: completion)
  }

  /// Ends downstream and cancels upstream.
  func fail(_ error: Downstream.Failure) {
    let ends = ends.exchange(Ends())
    ends.upstream?.cancel()
    ends.downstream?.receive(completion: .failure(error))
  }

  /// Passes the cancellation upstream.
  func cancel() { ends.exchange(Ends()).upstream?.cancel() }
}
