/// What an operator holds while a subscription runs through it: one end of the pipeline in each
/// hand.
///
/// Completion and cancelling let go of both, and with them of the rest of the pipeline.
struct Joint<Downstream: Subscriber>: ~Copyable {
  // Not private: a private type inside a noncopyable generic one crashes the compiler (6.3.1) where
  // another file stores the outer one.
  struct Ends {
    var upstream: (any Subscription)?
    var downstream: Downstream?
  }

  private let ends: Locked<Ends>

  /// A joint that waits for its upstream.
  init(_ downstream: Downstream) {
    ends = Locked(Ends(downstream: downstream))
  }

  /// What values go on to; nil once this is over.
  var downstream: Downstream? { ends.withLock { $0.downstream } }

  /// Takes hold of an upstream, in place of one that has ended.
  ///
  /// - Returns: whether it did. If this is over, it cancels the upstream instead.
  func connect(_ upstream: any Subscription) -> Bool {
    let isWanted = ends.withLock { ends in
      guard ends.downstream != nil else { return false }
      ends.upstream = upstream
      return true
    }
    if !isWanted { upstream.cancel() }
    return isWanted
  }

  /// Passes a request on, against the stream.
  func request(_ demand: Subscribers.Demand) {
    ends.withLock { $0.upstream }?.request(demand)
  }

  /// Passes the end on, with the stream.
  func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    ends.exchange(Ends()).downstream?.receive(completion: completion)
  }

  /// Ends downstream and cancels upstream.
  func fail(_ error: Downstream.Failure) {
    let ends = ends.exchange(Ends())
    ends.upstream?.cancel()
    ends.downstream?.receive(completion: .failure(error))
  }

  /// Passes the cancelling on, against the stream.
  func cancel() {
    ends.exchange(Ends()).upstream?.cancel()
  }
}
