/// Something that values come from over time, until it finishes or fails.
///
/// A publisher is a recipe: nothing happens, and nobody is held, before somebody subscribes.
/// From document 003.
public protocol Publisher<Output, Failure> {
  /// What it publishes.
  associatedtype Output
  /// How it can fail; `Never` when it can't.
  associatedtype Failure: Error

  /// Begins to deliver to this subscriber.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Subscribes; the same as ``receive(subscriber:)``, under the name that callers use.
  public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }
}

/// The publishers that operators return.
public enum Publishers {}
