/// A publisher that begins when `connect()` is called.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins to publish.
  ///
  /// - Returns: a cancellable that stops it.
  func connect() -> any Cancellable
}

extension ConnectablePublisher {
  /// Begins with the first subscriber and ends with the last.
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publishers {
  /// The publisher of `autoconnect()`.
  ///
  /// It is held by each of its subscriptions, and holds the connection while there is one.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The output of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure of the upstream publisher.
    public typealias Failure = Upstream.Failure

    private struct State {
      var subscribers = 0
      var connection: (any Cancellable)?
    }

    private let upstream: Upstream
    private let state = Locked(State())

    /// Connects this publisher.
    init(upstream: Upstream) { self.upstream = upstream }

    /// Begins to deliver to this subscriber; connects if it is the first.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let isFirst = state.withLock { state in
        state.subscribers += 1
        return state.subscribers == 1
      }
      upstream.subscribe(AutoconnectInner(downstream: subscriber) { [self] in leave() })
      if isFirst { keep(upstream.connect()) }
    }

    /// Holds the connection, unless the first subscriber has cancelled before there was one.
    private func keep(_ connection: any Cancellable) {
      let isNeeded = state.withLock { state in
        if state.subscribers > 0 { state.connection = connection }
        return state.subscribers > 0
      }
      if !isNeeded { connection.cancel() }
    }

    private func leave() {
      let connection = state.withLock { state -> (any Cancellable)? in
        state.subscribers -= 1
        guard state.subscribers == 0 else { return nil }
        defer { state.connection = nil }
        return state.connection
      }
      connection?.cancel()
    }
  }
}

/// One subscription through `autoconnect()`.
private final class AutoconnectInner<Downstream: Subscriber>: Subscriber, Subscription {
  private let joint: Joint<Downstream>
  private let leave: Locked<(() -> Void)?>

  init(downstream: Downstream, leave: @escaping () -> Void) {
    joint = Joint(downstream)
    self.leave = Locked(leave)
  }

  func receive(subscription: any Subscription) {
    if joint.connect(subscription) { joint.downstream?.receive(subscription: self) }
  }

  func receive(_ value: Downstream.Input) -> Subscribers.Demand {
    joint.downstream?.receive(value) ?? .none
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    joint.finish(completion)
    leave.exchange(nil)?()
  }

  func request(_ demand: Subscribers.Demand) { joint.request(demand) }

  func cancel() {
    joint.cancel()
    leave.exchange(nil)?()
  }
}
