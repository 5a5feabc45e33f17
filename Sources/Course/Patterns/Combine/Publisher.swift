/// A source of values over time, until it finishes or fails.
///
/// A publisher is a recipe: nothing happens, and nothing is held, before something subscribes.
public protocol Publisher<Output, Failure> {
  /// The type of its values.
  associatedtype Output
  /// The type of its failure; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Begins to deliver to this subscriber.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Subscribes; the same as ``receive(subscriber:)``, under the name that callers use.
  public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure { receive(subscriber: subscriber) }
}

/// The publishers that operators return.
public enum Publishers {}
