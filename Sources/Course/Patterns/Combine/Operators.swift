#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
    public func receive(subscriber: some Subscriber<Output, Failure>) {
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
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.subscribe(Inner(downstream: subscriber, handler: handler))
    }

    private final class Inner<Downstream: Subscriber<Output, Failure>>: Relay {
      let joint: Joint<Downstream>
      private let handler: (Upstream.Failure) -> NewPublisher

      init(downstream: Downstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
        joint = Joint(downstream)
        self.handler = handler
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        switch completion {
        case .finished: joint.finish(.finished)
        case .failure(let error): handler(error).subscribe(Rescue(inner: self))
        }
      }

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

/// Something that reads values out of data, such as `JSONDecoder`.
public protocol TopLevelDecoder {
  /// The type of the data that it reads.
  associatedtype Input

  /// Reads a value of this type.
  func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}

extension JSONDecoder: TopLevelDecoder {}

extension Publisher {
  /// Publishes the values that a decoder reads; fails with its error.
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}

extension Publishers {
  /// The publisher of `decode`.
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
  where Upstream.Output == Coder.Input {
    /// The failure of the upstream publisher, or an error of the decoder.
    public typealias Failure = any Error

    /// The publisher of the data.
    let upstream: Upstream
    /// Reads the values.
    let decoder: Coder

    /// Begins to deliver to this subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.subscribe(Inner(downstream: subscriber, decoder: decoder))
    }

    private final class Inner<Downstream: Subscriber<Output, Failure>>: Relay {
      typealias Failure = Upstream.Failure

      let joint: Joint<Downstream>
      private let decoder: Coder

      init(downstream: Downstream, decoder: Coder) {
        joint = Joint(downstream)
        self.decoder = decoder
      }

      func receive(_ value: Upstream.Output) -> Subscribers.Demand {
        do {
          let item = try decoder.decode(Output.self, from: value)
          return joint.downstream?.receive(item) ?? .none
        } catch {
          joint.end(.failure(error))
          return .none
        }
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        switch completion {
        case .finished: joint.finish(.finished)
        case .failure(let error): joint.finish(.failure(error))
        }
      }
    }
  }
}

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

  /// Cancels upstream, unless that has ended, and passes the completion downstream.
  func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let ends = ends.exchange(Ends())
    ends.upstream?.cancel()
    ends.downstream?.receive(completion: completion)
  }

  /// Passes the cancellation upstream.
  func cancel() { ends.exchange(Ends()).upstream?.cancel() }
}

/// One subscription through an operator, between the subscription and the subscriber that it holds.
protocol Relay: Subscriber, Subscription, AnyObject {
  /// The subscriber that values go to.
  associatedtype Downstream: Subscriber
  /// Both ends of the pipeline.
  var joint: Joint<Downstream> { get }
}

extension Relay {
  /// Holds the subscription, and takes its place downstream.
  func receive(subscription: any Subscription) {
    if joint.connect(subscription) { joint.downstream?.receive(subscription: self) }
  }

  /// Passes a request upstream.
  func request(_ demand: Subscribers.Demand) { joint.request(demand) }

  /// Passes the cancellation upstream.
  func cancel() { joint.cancel() }
}

extension Relay where Input == Downstream.Input {
  /// Passes a value downstream.
  func receive(_ value: Input) -> Subscribers.Demand { joint.downstream?.receive(value) ?? .none }
}

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
    public func receive(subscriber: some Subscriber<Output, Failure>) {
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
        return state.subscribers == 0 ? state.connection.take() : nil
      }
      connection?.cancel()
    }
  }
}

/// One subscription through `autoconnect()`.
private final class AutoconnectInner<Downstream: Subscriber>: Relay {
  typealias Input = Downstream.Input

  let joint: Joint<Downstream>
  private let leave: Locked<(() -> Void)?>

  init(downstream: Downstream, leave: @escaping () -> Void) {
    joint = Joint(downstream)
    self.leave = Locked(leave)
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    joint.finish(completion)
    leave.exchange(nil)?()
  }

  func cancel() {
    joint.cancel()
    leave.exchange(nil)?()
  }
}
