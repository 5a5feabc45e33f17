#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Inner(downstream: subscriber, decoder: decoder))
    }

    private final class Inner<Downstream: Subscriber<Output, Failure>>: Subscriber, Subscription {
      typealias Failure = Upstream.Failure

      private let joint: Joint<Downstream>
      private let decoder: Coder

      init(downstream: Downstream, decoder: Coder) {
        joint = Joint(downstream)
        self.decoder = decoder
      }

      func receive(subscription: any Subscription) {
        if joint.connect(subscription) { joint.downstream?.receive(subscription: self) }
      }

      func receive(_ value: Upstream.Output) -> Subscribers.Demand {
        do {
          let item = try decoder.decode(Output.self, from: value)
          return joint.downstream?.receive(item) ?? .none
        } catch {
          joint.fail(error)
          return .none
        }
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        switch completion {
        case .finished: joint.finish(.finished)
        case .failure(let error): joint.finish(.failure(error))
        }
      }

      func request(_ demand: Subscribers.Demand) { joint.request(demand) }
      func cancel() { joint.cancel() }
    }
  }
}
