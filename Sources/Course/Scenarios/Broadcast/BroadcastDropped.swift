import MemlabKit
import MemlabPlatform

extension Scenario {
  private static let firstListing = "Course/Scenarios/Broadcast/BroadcastStream.swift#code"

  /// `broadcast-dropped`: the broadcaster goes away without finish.
  static let broadcastDropped = Scenario(
    id: "broadcast-dropped", title: "the broadcaster goes away without finish",
    document: .asyncStreamBroadcast, place: "both of its listings",
    lesson: "03-one-stream-many-consumers",
    question: "The last reference to the actor is dropped. Do A and B end?",
    hint: "When an actor is deinitialised, its dictionary is released, and with it every "
      + "continuation. Is that the same as finish()? And who else holds the actor?",
    beliefs: [
      .nobody("The last variable is gone, and deinit finishes every stream."),
      .cycle("The handler captures self, and people overlook that it is weak."),
    ], next: "broadcast-strong-termination", fixedBy: "broadcast-stream",
    code: [firstListing],
    endings: [
      Ending(
        "deinit", "the first listing: deinit finishes every stream",
        expects: .broadcast(.clean, broadcaster: 1, subscribers: 2, removals: 2),
        explanation: "The actor's deinit finishes both streams. Each stream calls onTermination, "
          + "whose task finds that the actor is gone, and both loops end.",
        on: Stage.init
      ) { [$0.create, $0.subscribeWeakly, $0.send, $0.drop] }
      .claiming(
        "to be safe: when the owner is released, all subscribers are ended too",
        original: "念のため、所有者解放時も全購読者を終了"
      ) { $0.task("A").live == 0 && $0.task("B").live == 0 }
      .running(firstListing),
      Ending(
        "no-deinit", "the second listing has no deinit",
        expects: .broadcast(.leak, broadcaster: 1, subscribers: 0, removals: 0),
        explanation: "The actor is deinitialised, and its continuations are released. Releasing a "
          + "continuation does not finish its stream, so A and B wait forever.",
        on: BroadcastStage<BroadcastDropped.AsyncBroadcastStream<Int>>.init
      ) { [$0.create, $0.subscribeWeakly, $0.send, $0.drop] },
      Ending(
        "captured", "the first listing, with the document's own subscribers",
        expects: .broadcast(.leak, broadcaster: 0, subscribers: 0, removals: 0)
          .with(held: ["AsyncBroadcastStream<Int>": .task("A")]),
        explanation: "The document's subscribers call broadcaster.stream() inside their tasks, so "
          + "they hold the actor while they wait. Its deinit would end the wait, but it never "
          + "runs.",
        on: Stage.init
      ) { [$0.create, $0.subscribe, $0.send, $0.drop] }
      .claiming(
        "to be safe: when the owner is released, all subscribers are ended too",
        original: "念のため、所有者解放時も全購読者を終了",
        failsBecause: "each subscriber of the demonstration holds the broadcaster until its loop "
          + "is over, and the loop is over when the broadcaster is gone"
      ) { $0.totals.liveTasks == 0 }
      .running(firstListing),
      Ending(
        "late", "the first listing: its own subscribers come after finish()",
        expects: .broadcast(.leak, broadcaster: 0, subscribers: 0, removals: 0)
          .with(held: ["AsyncBroadcastStream<Int>": .task("A")]),
        explanation: "finish() ends the streams that exist, and the actor does not remember it. A "
          + "later subscriber gets a stream that nothing will finish, and holds the actor.",
        on: Stage.init
      ) { [$0.create, $0.finish, $0.subscribe, $0.drop] }
      .running(firstListing),
    ])

  private typealias Stage = BroadcastStage<BroadcastStream.AsyncBroadcastStream<Int>>
}

/// The document's second listing, in its playground: the same without `deinit`.
enum BroadcastDropped {
  // snippet:code
  public actor AsyncBroadcastStream<Element: Sendable> {
    public typealias Stream = AsyncStream<Element>
    public typealias Continuation = Stream.Continuation

    private var continuations: [UUID: Continuation]
    private let probe = Probe(AsyncBroadcastStream.self)

    public init() {
      self.continuations = [:]
    }

    public func stream() -> AsyncStream<Element> {
      let id = UUID()
      return AsyncStream { continuation in
        continuations[id] = continuation

        continuation.onTermination = { [weak self] _ in
          Task(probe: "removal") { [weak self] in
            await self?.removeContinuation(id)
          }
        }
      }
    }

    public func yield(_ value: Element) {
      for c in continuations.values {
        c.yield(value)
      }
    }

    public func finish() {
      for c in continuations.values {
        c.finish()
      }
      continuations.removeAll()
    }

    private func removeContinuation(_ id: UUID) {
      continuations[id] = nil
    }
  }
  // snippet:end
}

extension BroadcastDropped.AsyncBroadcastStream: BroadcasterUnderStudy {
  /// How many continuations the actor keeps.
  var subscriberCount: Int { continuations.count }
}
