/// A source of values over time, until it finishes or fails.
///
/// A publisher is a recipe: nothing happens, and nothing is held, before something subscribes.
public protocol Publisher<Output, Failure> {
  /// The type of its values.
  associatedtype Output
  /// The type of its failure; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Begins to deliver to this subscriber.
  func receive(subscriber: some Subscriber<Output, Failure>)
}

extension Publisher {
  /// Subscribes; the same as ``receive(subscriber:)``, under the name that callers use.
  public func subscribe(_ subscriber: some Subscriber<Output, Failure>) {
    receive(subscriber: subscriber)
  }
}

/// The publishers that operators return.
public enum Publishers {}

/// Receives the values of a publisher.
///
/// `sink` and `assign` create the only two kinds here.
public protocol Subscriber<Input, Failure> {
  /// The type of the values that it receives.
  associatedtype Input
  /// The type of the failure that it receives.
  associatedtype Failure: Error

  /// Receives the subscription. Values arrive after a request.
  func receive(subscription: any Subscription)
  /// Receives a value.
  ///
  /// - Returns: how many more values it wants, in addition to earlier requests.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Receives the completion.
  func receive(completion: Subscribers.Completion<Failure>)
}

/// Connects one subscriber to a publisher. The publisher's side holds the subscriber until this is
/// cancelled or the publisher completes.
public protocol Subscription: Cancellable {
  /// Asks for values.
  func request(_ demand: Subscribers.Demand)
}

/// The subscribers of this library, and the types that all subscribers use.
public enum Subscribers {
  /// How a publisher has ended.
  public enum Completion<Failure: Error> {
    /// It finished.
    case finished
    /// It failed.
    case failure(Failure)
  }

  /// How many values are wanted.
  ///
  /// Combine counts them. Here it is all or nothing, because the subject is memory and not flow
  /// control.
  public struct Demand: Equatable, Sendable {
    private let wantsAll: Bool

    /// All values.
    public static let unlimited = Demand(wantsAll: true)
    /// No additional values.
    public static let none = Demand(wantsAll: false)
  }
}

/// Subscriptions that need no publisher.
public enum Subscriptions {
  /// The subscription to a publisher that has already completed.
  public static var empty: any Subscription { Nothing() }

  private struct Nothing: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
}

/// A publisher that hides its type.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  private let publisher: any Publisher<Output, Failure>

  /// Hides the type of a publisher.
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    self.publisher = publisher
  }

  /// Begins to deliver to this subscriber.
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    publisher.receive(subscriber: subscriber)
  }
}

extension Publisher {
  /// This publisher, with its type hidden.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// Publishes one value and finishes.
public struct Just<Output>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// A publisher of this value.
  public init(_ output: Output) { self.output = output }

  /// Delivers the value as soon as the subscriber asks for it.
  public func receive(subscriber: some Subscriber<Output, Never>) {
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
  public func receive(subscriber: some Subscriber<Output, Failure>) {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

/// Something that can be cancelled.
public protocol Cancellable {
  /// Cancels it. A second call does nothing.
  func cancel()
}

/// Owns a subscription, and cancels it in its deinit.
///
/// It holds its subscriber, which holds the closures of a `sink` or the object of an
/// `assign(to:on:)`. If that object stores it, the two form a retain cycle.
public final class AnyCancellable: Cancellable, Hashable {
  private let content: Locked<(any Cancellable)?>

  /// Owns something that can be cancelled.
  public init<C: Cancellable>(_ canceller: C) { content = Locked(canceller) }

  /// Runs a closure when cancelled.
  public convenience init(_ cancel: @escaping () -> Void) { self.init(Action(run: cancel)) }

  deinit { cancel() }

  /// Cancels, and releases what was cancelled.
  public func cancel() { content.exchange(nil)?.cancel() }

  /// Stores this object in a collection, which keeps the subscription alive.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable { collection.append(self) }

  /// Stores this object in a set, which keeps the subscription alive.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  /// Whether both are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  private struct Action: Cancellable {
    let run: () -> Void
    func cancel() { run() }
  }
}
