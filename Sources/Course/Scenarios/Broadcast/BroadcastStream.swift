import MemlabKit
import MemlabPatterns
import MemlabPlatform

extension Scenario {
  private static let lastListing = "Course/Patterns/Broadcast/AsyncBroadcastStream.swift#code"

  /// `broadcast-stream`: an actor keeps one stream for each consumer.
  static let broadcastStream = Scenario(
    id: "broadcast-stream", title: "an actor keeps one stream for each consumer",
    document: .asyncStreamBroadcast, place: "its AsyncBroadcastStream",
    lesson: "03-one-stream-many-consumers",
    question: "Each consumer has its own stream. What does each of them receive?",
    hint: "Each consumer has its own stream. What tells the actor that one of them has ended?",
    beliefs: [.task("Two tasks wait for streams of the actor.")],
    next: "broadcast-dropped",
    code: [lastListing],
    endings: [
      Ending(
        "demo", "the document's demonstration, to its end",
        expects: .broadcast(
          .clean, broadcaster: 1, subscribers: 2, removals: 2, publisher: true,
          metrics: ["receivedByA": 20, "receivedByB": 10, "union": 20, "subscribersAtTheEnd": 1]),
        explanation: "onTermination tells the actor that B has ended, and the actor removes B's "
          + "continuation. A has its own stream, which continues until the actor finishes it.",
        on: BroadcastStage<BroadcastStream.AsyncBroadcastStream<Int>>.init
      ) { [$0.create, $0.subscribe, $0.publish, $0.drop] }
      .claiming(
        "A and B do not take values from each other: both receive all of them",
        original: "複数で購読しても値を奪い合わずに A, B の両方で全ての値を受け取れています"
      ) { $0.metric("receivedByA") == 20 && $0.metric("receivedByB") == 10 }
      .claiming(
        "when B is cancelled on the way, A is not, and receives values to the end",
        original: "途中で B をキャンセルしても A はキャンセルされずに最後まで値を受け取れています"
      ) { $0.metric("receivedByA") == 20 && $0.metric("subscribersAtTheEnd") == 1 }
      .claiming(
        "AsyncStream alone solves the problem",
        original: "値を奪い合ってしまう問題を AsyncStream だけで解消することが出来ました"
      ) { $0.metric("union") == 20 && $0.totals.liveTasks == 0 }
      .asking(
        "Twenty values are sent; B is cancelled after ten. How many does A receive, and how "
          + "many continuations does the actor have in the end?"),
      Ending(
        "slow", "B subscribes, and takes its first value a hundred messages later",
        expects: .several(
          .clean, ["AsyncBroadcastStream<Message>": (1, 1), "Message": (101, 101)],
          tasks: ["A": (1, 1), "B": (1, 1), "removal": (2, 2)],
          metrics: ["receivedByA": 100, "receivedByB": 100, "heldForB": 100]),
        explanation: "A message that is sent before a consumer subscribes is lost. Messages that "
          + "are sent between subscribing and the first next() are all kept, however long that "
          + "takes: the buffer of an AsyncStream has no limit unless you give it one.",
        run: SlowConsumer.unbounded
      )
      .asking(
        "B subscribes, and takes its first value a hundred messages later. Where are the "
          + "messages meanwhile?"),
      Ending(
        "bounded", "the same with room for one message, on the actor in Patterns",
        expects: .several(
          .clean, ["Message": (101, 101)], tasks: ["A": (1, 1), "B": (1, 1)],
          metrics: ["receivedByA": 100, "receivedByB": 1, "heldForB": 1]),
        explanation: "With .bufferingNewest(1) a slow consumer keeps one message in memory, and "
          + "receives only the latest one. The fast consumer has its own stream and receives all "
          + "of them.",
        run: SlowConsumer.bounded
      )
      .running(lastListing)
      .asking(
        "B is as slow, and its stream has room for one message. Which of the hundred does it "
          + "receive, and how many does A?"),
      Ending(
        "late", "two consumers subscribe after finish(), on the actor in Patterns",
        expects: .one(.clean, finished: ["A": 1, "B": 1]),
        explanation: "An actor that remembers that it has finished can finish the stream of a late "
          + "subscriber at once. The document's actor does not remember: see broadcast-dropped.",
        on: BroadcastStage<AsyncBroadcastStream<Int>>.init
      ) { [$0.create, $0.finish, $0.subscribe, $0.drop] }
      .running(lastListing)
      .asking("Two consumers subscribe after the actor was told to finish. Do they wait forever?"),
    ])
}

/// The document's first listing.
enum BroadcastStream {
  // snippet:code
  public actor AsyncBroadcastStream<Element: Sendable> {
    public typealias Stream = AsyncStream<Element>
    public typealias Continuation = Stream.Continuation

    private var continuations: [UUID: Continuation]
    private let probe = Probe(AsyncBroadcastStream.self)

    public init(continuations: [UUID: Continuation] = [:]) {
      self.continuations = continuations
    }

    deinit {
      for continuation in continuations.values {
        continuation.finish()
      }

      continuations.removeAll()
    }

    public func stream() -> AsyncStream<Element> {
      let uuid = UUID()
      return AsyncStream { continuation in
        continuations[uuid] = continuation

        continuation.onTermination = { [weak self] _ in
          Task(probe: "removal") { [weak self] in
            await self?.removeContinuation(for: uuid)
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

extension BroadcastStream.AsyncBroadcastStream: BroadcasterUnderStudy {
  /// A broadcaster without consumers.
  init() { self.init(continuations: [:]) }
  /// How many continuations the actor keeps.
  var subscriberCount: Int { continuations.count }
}

/// A consumer that has subscribed but has not asked for its first value yet.
enum SlowConsumer: Notebook {
  /// A counted value, so that the content of a buffer can be counted.
  final class Message: Sendable {
    private let probe = Probe(Message.self)
  }

  /// The ending on the document's actor: its streams keep all values that are not taken.
  @Sendable static func unbounded(_ lab: Lab) throws {
    try play(lab, on: BroadcastStream.AsyncBroadcastStream<Message>()) { await $0.stream() }
  }

  /// The ending on the actor in `Patterns`, with room for one value.
  @Sendable static func bounded(_ lab: Lab) throws {
    try play(lab, on: AsyncBroadcastStream<Message>()) {
      await $0.stream(bufferingPolicy: .bufferingNewest(1))
    }
  }

  private static func play<Broadcaster: BroadcasterUnderStudy<Message>>(
    _ lab: Lab, on made: @autoclosure () -> Broadcaster,
    streamForB: @escaping @Sendable (Broadcaster) async -> AsyncStream<Message>
  ) throws {
    let (ledger, start) = (lab.ledger, Gate())
    @Variable("broadcaster") var broadcaster: Broadcaster?
    try lab.step("a message is sent, and nobody has subscribed", until: ledger.messages(gone: 1)) {
      broadcaster = made()
      send(1, on: broadcaster)
    }
    let subscribed = ledger.noted("subscribed", 2)
    try lab.step("A and B subscribe; B does not iterate yet", until: subscribed) {
      consume(as: "A", startingAt: nil) { [weak broadcaster] in await broadcaster?.stream() }
      consume(as: "B", startingAt: start) { [weak broadcaster] in
        guard let broadcaster else { return nil }
        return await streamForB(broadcaster)
      }
    }
    try lab.step("a hundred messages are sent", until: ledger.noted("A received", 100)) {
      send(100, on: broadcaster)
    }
    ledger.setMetric("heldForB", ledger.totals.object("Message").alive)
    try lab.step("B iterates", until: ledger.messages(gone: 101)) { start.open() }
    try lab.release("the broadcaster is dropped", until: ledger.allTasksFinished) {
      broadcaster = nil
    }
    for name in ["A", "B"] {
      ledger.setMetric("receivedBy\(name)", ledger.notes(of: "\(name) received"))
    }
  }

  private static func consume(
    as name: String, startingAt gate: Gate?,
    _ subscribe: @escaping @Sendable () async -> AsyncStream<Message>?
  ) {
    Task(probe: name) {
      guard let stream = await subscribe() else { return }
      print("subscribed")
      await gate?.opened()
      for await _ in stream { Ledger.current?.note("\(name) received") }
    }
  }

  private static func send(_ count: Int, on broadcaster: (some BroadcasterUnderStudy<Message>)?) {
    Task {
      for _ in 0..<count { await broadcaster?.yield(Message()) }
    }
  }
}

extension Ledger {
  /// Whether so many messages are gone, as a step's condition.
  fileprivate func messages(gone count: Int) -> @Sendable () -> Bool {
    { self.totals.object("Message").deinitialized == count }
  }
}
