import MemlabKit

extension Scenario {
  /// `shared-stream-split`: two tasks iterate one AsyncStream.
  static let sharedStreamSplit = Scenario(
    id: "shared-stream-split", title: "two tasks iterate one AsyncStream",
    document: .asyncStreamBroadcast, place: "the problem", lesson: "03-one-stream-many-consumers",
    question: "A and B iterate the same stream. What does each of them receive?",
    hint: "There is one buffer. What is left in it when A has taken a value?",
    next: "broadcast-stream", fixedBy: "broadcast-stream",
    endings: [
      Ending(
        "finish", "the producer sends twenty values and finishes the stream",
        expects: .one(
          .split, finished: ["A": 1, "B": 1, "summary": 1, "producer": 1],
          metrics: ["receivedByA": 10, "receivedByB": 10, "receivedByBoth": 0, "union": 20]),
        explanation: "Each value goes to one consumer: the one that has waited longest. The two "
          + "take turns, so each misses the ten values that the other one received.",
        judge: Verdict.split(unlessEqual: "receivedByA", "receivedByB", "union"),
        run: SharedStreamSplit.finish
      )
      .claiming(
        "several subscribers of a single AsyncStream take its values from each other",
        original: "単一の AsyncStream の値を複数で購読すると値を奪い合ってしまいます"
      ) { $0.metric("receivedByBoth") == 0 }
      .claiming("the values are spread over A and B", original: "A/B で受け取る値が分散してしまいます") {
        $0.metric("union") == 20 && $0.metric("receivedByA") < 20
      }
      .claiming(
        "an AsyncStream can only be subscribed to once", original: "AsyncStream は単一の購読しか行えず",
        failsBecause: "nothing prevents a second task from iterating it: each task gets a share of "
          + "the values, and no error. (Up to Swift 6.3, an AsyncThrowingStream traps when two tasks "
          + "wait for it.)"
      ) { min($0.metric("receivedByA"), $0.metric("receivedByB")) == 0 }
      .asking("A and B iterate the same stream of 0..<20. What does each of them receive?"),
      Ending(
        "cancel", "B is cancelled after a value each, and two more are sent",
        expects: .one(
          .split, finished: ["A": 1, "B": 1, "summary": 1],
          metrics: [
            "receivedByA": 1, "receivedByB": 1, "receivedByBoth": 0, "union": 2, "sent": 4,
          ]),
        explanation: "Cancelling a task that waits for a stream terminates the stream, not only "
          + "that wait. A ends together with B, and nobody receives the later values.",
        judge: Verdict.split(unlessEqual: "receivedByA", "receivedByB", "union"),
        run: SharedStreamSplit.cancel
      )
      .asking("B is cancelled while A waits as well, and values are sent. Does A receive them?"),
    ])
}

/// The document's demonstration of the problem.
enum SharedStreamSplit: Notebook {
  // snippet:code
  static func makeNumberStream(_ start: Gate) -> AsyncStream<Int> {
    AsyncStream { continuation in
      Task(probe: "producer") {
        await start.opened()
        for i in 0..<20 {
          continuation.yield(i)
          try? await Task.sleep(nanoseconds: 50_000_000)
        }
        continuation.finish()
      }
    }
  }

  static func demoMultiConsumer(_ stream: AsyncStream<Int>) -> Task<[Int], Never> {
    let task1 = Task(probe: "A") {
      print("iterating")
      var received: [Int] = []
      for await value in stream {
        print("received", value)
        received.append(value)
      }
      return received
    }

    let task2 = Task(probe: "B") {
      print("iterating")
      var received: [Int] = []
      for await value in stream {
        print("received", value)
        received.append(value)
      }
      return received
    }

    Task(probe: "summary") {
      let (valuesA, valuesB) = await (task1.value, task2.value)

      let setA = Set(valuesA)
      let setB = Set(valuesB)
      let union = setA.union(setB)

      print("receivedByA:", setA.count, "receivedByB:", setB.count)
      print("receivedByBoth:", setA.intersection(setB).count, "union:", union.count)
    }
    return task2
  }
  // snippet:end

  // Both consumers wait before the first value is sent, so they take turns from the start under any
  // scheduler. Otherwise the first consumer may get one value more.
  /// The producer sends twenty values, and finishes the stream.
  @Sendable static func finish(_ lab: Lab) throws {
    let start = Gate()
    let ledger = lab.ledger
    try lab.step("A and B iterate the same stream", until: ledger.noted("iterating", 2)) {
      _ = demoMultiConsumer(makeNumberStream(start))
    }
    try lab.step("the producer starts", until: ledger.allTasksFinished) { start.open() }
  }

  /// B is cancelled after one value each, and two more are sent.
  @Sendable static func cancel(_ lab: Lab) throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let ledger = lab.ledger
    var taskB: Task<[Int], Never>?
    try lab.step("A and B iterate the same stream", until: ledger.noted("iterating", 2)) {
      taskB = demoMultiConsumer(stream)
    }
    try lab.step("two values are sent", until: ledger.noted("received", 2)) {
      send([0, 1], to: continuation)
    }
    try lab.release("B is cancelled", until: ledger.allTasksFinished) { taskB?.cancel() }
    try lab.step("two more values are sent") { send([2, 3], to: continuation) }
    ledger.setMetric("sent", 4)
  }

  private static func send(_ values: [Int], to continuation: AsyncStream<Int>.Continuation) {
    for value in values { continuation.yield(value) }
  }
}
