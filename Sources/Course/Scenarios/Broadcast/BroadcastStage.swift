import MemlabKit
import MemlabPatterns

/// A broadcaster whose endings are measured.
protocol BroadcasterUnderStudy<Element>: Actor {
  /// The type of its values.
  associatedtype Element: Sendable
  /// A broadcaster without consumers.
  init()
  /// A new stream for one more consumer.
  func stream() -> AsyncStream<Element>
  /// Sends a value to all consumers.
  func yield(_ value: Element)
  /// Finishes all streams.
  func finish()
  /// How many continuations it keeps.
  var subscriberCount: Int { get }
}

extension AsyncBroadcastStream: BroadcasterUnderStudy {
  /// A stream without a limit of its buffer.
  func stream() -> AsyncStream<Element> { stream(bufferingPolicy: .unbounded) }
}

/// Holds the objects of the broadcast scenarios from outside, and runs the steps of their endings.
final class BroadcastStage<Broadcaster: BroadcasterUnderStudy<Int>> {
  /// The document's demonstration with this broadcaster.
  typealias Demo = BroadcastDemo<Broadcaster>

  private let lab: Lab
  @Variable("broadcaster") private var broadcaster: Broadcaster?
  @Variable("subscribers") private var subscribers: [Demo.Subscriber] = []

  /// An empty stage.
  init(_ lab: Lab) { self.lab = lab }

  /// Creates a broadcaster.
  func create() throws {
    try lab.step("the broadcaster is created") { broadcaster = Broadcaster() }
  }

  /// Starts the document's two subscribers, which hold the broadcaster while they wait.
  func subscribe() throws {
    try lab.step("A and B subscribe", until: lab.ledger.noted("subscribed", 2)) {
      guard let broadcaster else { return }
      let (taskA, taskB) = Demo.subscribe(to: broadcaster)
      subscribers = [taskA, taskB]
    }
  }

  /// Starts two subscribers that hold only their streams.
  func subscribeWeakly() throws {
    let subscribed = lab.ledger.noted("subscribed", 2)
    try lab.step("A and B subscribe, each holding its stream alone", until: subscribed) {
      guard let broadcaster else { return }
      subscribers = ["A", "B"].map { Demo.subscribeWeakly(to: broadcaster, as: $0) }
    }
  }

  /// Publishes as the document does: twenty values, B cancelled after ten, then the end.
  func publish() throws {
    let ended = lab.ledger.allTasksFinished
    try lab.step("twenty values are sent; B is cancelled after ten", until: ended) {
      guard let broadcaster else { return }
      Demo.publish(on: broadcaster, to: subscribers[0], subscribers[1])
    }
  }

  /// Sends one value to both.
  func send() throws {
    let received = lab.ledger.noted("received", 2)
    try lab.step("one value is sent", until: received) { tell { await $0.yield(1) } }
  }

  /// Finishes every stream.
  func finish() throws {
    let ledger = lab.ledger
    let ended: @Sendable () -> Bool = {
      ledger.notes(of: "told to finish") == 1 && ledger.totals.liveTasks == 0
    }
    try lab.release("finish() is called", until: ended) {
      tell {
        await $0.finish()
        Ledger.current?.note("told to finish")
      }
    }
  }

  /// Cancels both subscribers.
  func cancel() throws {
    try lab.release("A and B are cancelled", until: lab.ledger.allTasksFinished) {
      for subscriber in subscribers { subscriber.cancel() }
    }
  }

  /// Drops every reference that the stage holds.
  func drop() throws {
    try lab.release("the broadcaster is dropped") {
      broadcaster = nil
      subscribers = []
    }
  }

  private func tell(_ action: @escaping @Sendable (Broadcaster) async -> Void) {
    guard let broadcaster else { return }
    Task { await action(broadcaster) }
  }
}

extension Declaration {
  /// The counts of one broadcaster, of two subscribers and of the tasks that remove them.
  ///
  /// - Parameters:
  ///   - broadcaster: how many broadcasters are deinitialised, 0 or 1.
  ///   - subscribers: how many of the two subscribers have finished.
  ///   - removals: how many removals were started, and have finished.
  ///   - publisher: whether the document's publisher ran.
  static func broadcast(
    _ verdict: Verdict, broadcaster: Int, subscribers: Int, removals: Int,
    publisher: Bool = false, metrics: [Metric: Int] = [:]
  ) -> Declaration {
    .several(
      verdict, ["AsyncBroadcastStream<Int>": (1, broadcaster)],
      tasks: [
        "A": (1, subscribers / 2), "B": (1, subscribers / 2), "publisher": publisher ? (1, 1) : nil,
        "removal": removals > 0 ? (removals, removals) : nil,
      ], metrics: metrics)
  }
}
