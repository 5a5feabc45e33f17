import MemlabKit
import MemlabPlatform

extension Scenario {
  /// `broadcast-strong-termination`: onTermination captures self.
  static let broadcastStrongTermination = Scenario(
    id: "broadcast-strong-termination", title: "onTermination captures self",
    document: .asyncStreamBroadcast, place: "without [weak self]",
    lesson: "03-one-stream-many-consumers",
    question: "Neither closure says [weak self] any more. Is everything deinitialised all the "
      + "same?",
    hint: "Draw the cycle: the actor, its dictionary, a continuation, its handler. What removes "
      + "the handler?",
    beliefs: [.nobody("deinit would finish every stream, and people assume that it runs.")],
    fixedBy: "broadcast-stream",
    endings: [
      Ending(
        "drop", "the broadcaster is dropped",
        expects: .broadcast(.leak, broadcaster: 0, subscribers: 0, removals: 0)
          .with(held: ["AsyncBroadcastStream<Int>": .field("state", of: "AsyncStream._Storage")]),
        explanation: "The actor holds the continuations, each continuation holds its handler, and "
          + "the handler holds the actor. deinit would end the wait, but it never runs.",
        on: Stage.init
      ) { [$0.create, $0.subscribeWeakly, $0.send, $0.drop] },
      Ending(
        "finish", "the broadcaster is told to finish, then dropped",
        expects: .broadcast(.clean, broadcaster: 1, subscribers: 2, removals: 2),
        explanation: "A stream releases its handler after calling it. Finishing all streams "
          + "breaks the cycle, and the actor is deinitialised.",
        on: Stage.init
      ) { [$0.create, $0.subscribeWeakly, $0.send, $0.finish, $0.drop] },
      Ending(
        "cancel", "both subscribers are cancelled, then the broadcaster is dropped",
        expects: .broadcast(.clean, broadcaster: 1, subscribers: 2, removals: 2),
        explanation: "Each cancellation terminates its stream, which calls its handler and "
          + "releases it. No strong reference to the actor is left.",
        on: Stage.init
      ) { [$0.create, $0.subscribeWeakly, $0.send, $0.cancel, $0.drop] },
    ])

  private typealias Stage = BroadcastStage<BroadcastStrongTermination.AsyncBroadcastStream<Int>>
}

/// The document's first listing, without its two `[weak self]`.
enum BroadcastStrongTermination {
  // snippet:code
  public actor AsyncBroadcastStream<Element: Sendable> {
    public typealias Stream = AsyncStream<Element>
    public typealias Continuation = Stream.Continuation

    private var continuations: [UUID: Continuation] = [:]
    private let probe = Probe(AsyncBroadcastStream.self)

    deinit {
      for continuation in continuations.values {
        continuation.finish()
      }
    }

    public func stream() -> AsyncStream<Element> {
      let uuid = UUID()
      return AsyncStream { continuation in
        continuations[uuid] = continuation

        continuation.onTermination = { _ in
          Task(probe: "removal") {
            await self.removeContinuation(for: uuid)
          }
        }
      }
    }

    public func yield(_ value: Element) {
      for continuation in continuations.values {
        continuation.yield(value)
      }
    }

    public func finish() {
      for continuation in continuations.values {
        continuation.finish()
      }

      continuations.removeAll()
    }

    private func removeContinuation(for uuid: UUID) {
      continuations[uuid] = nil
    }
  }
  // snippet:end
}

extension BroadcastStrongTermination.AsyncBroadcastStream: BroadcasterUnderStudy {
  /// How many continuations the actor keeps.
  var subscriberCount: Int { continuations.count }
}
