/// Something that receives what a publisher has to say.
///
/// From document 003, where `sink` and `assign` make the only two.
public protocol Subscriber<Input, Failure> {
  /// What it receives.
  associatedtype Input
  /// How what it receives from can fail.
  associatedtype Failure: Error

  /// The subscription is there; values come once it has been asked for them.
  func receive(subscription: any Subscription)
  /// A value has come.
  ///
  /// - Returns: how many more are wanted, beside those that were asked for.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Nothing more will come.
  func receive(completion: Subscribers.Completion<Failure>)
}

/// One subscriber's hold on a publisher. The publisher's side holds the subscriber until this is
/// cancelled or the publisher completes.
public protocol Subscription: Cancellable {
  /// Asks for values.
  func request(_ demand: Subscribers.Demand)
}

/// The subscribers that this library makes, and what all of them speak of.
public enum Subscribers {
  /// How a publisher has ended.
  public enum Completion<Failure: Error> {
    /// It has nothing more to say.
    case finished
    /// It could not go on.
    case failure(Failure)
  }

  /// How many values are wanted.
  ///
  /// Combine counts them; here it is all or nothing, for memory and not flow control is the
  /// subject.
  public struct Demand: Equatable, Sendable {
    private let wantsAll: Bool

    /// As many as there are.
    public static let unlimited = Demand(wantsAll: true)
    /// No more than before.
    public static let none = Demand(wantsAll: false)
  }
}

/// Subscriptions that need no publisher.
public enum Subscriptions {
  /// The subscription to something that is over already.
  public static var empty: any Subscription { Nothing() }

  private struct Nothing: Subscription {
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
}
