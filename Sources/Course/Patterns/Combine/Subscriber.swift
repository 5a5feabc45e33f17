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
