import MemlabKit
import MemlabPatterns

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
      subscribe(to: broadcaster, iteratingAt: start, streamForB: streamForB)
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

  private static func subscribe<Broadcaster: BroadcasterUnderStudy<Message>>(
    to broadcaster: Broadcaster?, iteratingAt start: Gate,
    streamForB: @escaping @Sendable (Broadcaster) async -> AsyncStream<Message>
  ) {
    consume(as: "A", startingAt: nil) { [weak broadcaster] in await broadcaster?.stream() }
    consume(as: "B", startingAt: start) { [weak broadcaster] in
      guard let broadcaster else { return nil }
      return await streamForB(broadcaster)
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
