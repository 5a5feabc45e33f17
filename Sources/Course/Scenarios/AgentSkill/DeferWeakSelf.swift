import MemlabKit

extension Scenario {
  /// `defer-weak-self`: a loop that cleans up through a weak self.
  static let deferWeakSelf = Scenario(
    id: "defer-weak-self", title: "a loop that cleans up through a weak self",
    document: .skillMemory, place: "cancellable work with cleanup",
    lesson: "11-a-task-has-children",
    question: "The worker is dropped, and its loop ends because self is nil. Does defer clean up?",
    hint: "The loop ends because self is nil. What does the defer block use?",
    beliefs: [
      .cycle("The worker stores its task, and the task uses the worker."),
      .task("The loop uses self on each turn."),
    ],
    next: "isolated-deinit-cycle",
    endings: [
      Ending(
        "drop", "the worker is dropped",
        expects: .one(
          .clean, ["Worker": nil], finished: ["work": 1], metrics: ["cleanedUp": 0, "turns": 2]),
        explanation: "The loop ends because self is nil, so the defer block finds nil as well and "
          + "calls nothing. Nothing leaks here, but what cleanup() should close stays open.",
        claims: [
          Claim(
            "a loop with defer { self?.cleanup() } cleans up",
            original: "defer { self?.cleanup() }",
            .fails(because: "self is nil whenever the loop has ended because self is nil")
          ) { $0.metric("cleanedUp") == 1 },
          Claim("Loop exits when `self` becomes `nil`.") { $0.task("work").live == 0 },
        ],
        run: { try play($0) { $0.startWork() } }),
      Ending(
        "cancel", "the task is cancelled, and the worker stays until its hundredth turn",
        expects: .one(
          .clean, ["Worker": nil], finished: ["work": 1], metrics: ["cleanedUp": 0, "turns": 100]),
        explanation: "A cancelled sleep throws at once, try? discards the error, and the loop asks "
          + "for self alone. So a cancelled task goes round without a pause until its owner is "
          + "gone.",
        claims: [
          Claim(
            "`try?` can swallow `CancellationError`, causing the loop to continue running after "
              + "cancellation"
          ) { $0.metric("turns") > 2 }
        ],
        run: { try play($0, cancels: true) { $0.startWork() } }
      )
      .asking("The task is cancelled while it sleeps, and the worker is still there. Does it end?"),
      Ending(
        "captured", "the defer block captures what it closes",
        expects: .one(
          .clean, ["Worker": nil], finished: ["work": 1], metrics: ["cleanedUp": 1, "turns": 2]),
        explanation: "The closure captures the connection and not its owner, so defer can close it "
          + "although the owner is gone.",
        run: { try play($0) { $0.startCaptured() } }
      )
      .asking("Now the task captures the connection itself. Is it closed when the loop ends?"),
    ])

  private static func play(
    _ lab: Lab, cancels: Bool = false, start: (DeferWeakSelf.Worker) -> Void
  ) throws {
    let (ledger, clock, connection) = (lab.ledger, HandTurnedClock(), DeferWeakSelf.Connection())
    @Variable("worker") var worker: DeferWeakSelf.Worker?
    try lab.step("a worker is created and starts", until: ledger.noted("sleeps", 1)) {
      worker = made(.init(connection, clock), start)
    }
    try lab.step("a second passes", until: ledger.noted("sleeps", 2)) { clock.turn() }
    if cancels {
      connection.onUse = { [_worker] in
        if ledger.notes(of: "worked") == 100 { _worker.wrappedValue = nil }
      }
      try lab.release("the task is cancelled", until: ledger.allTasksFinished) {
        worker?.task?.cancel()
      }
    }
    try lab.release("the worker is dropped") { worker = nil }
    try lab.release("another second passes") { clock.turn() }
    ledger.setMetrics([
      "cleanedUp": ledger.notes(of: "cleaned up"), "turns": ledger.notes(of: "worked"),
    ])
  }
}

/// A loop whose cleaning up depends on the object that has gone.
enum DeferWeakSelf {
  // snippet:code
  final class Worker {
    var task: Task<Void, Never>?
    private let connection: Connection
    private let clock: HandTurnedClock
    private let probe = Probe(Worker.self)

    init(_ connection: Connection, _ clock: HandTurnedClock) {
      (self.connection, self.clock) = (connection, clock)
    }

    func startWork() {
      task = Task(probe: "work") { [weak self, clock] in
        defer { self?.cleanup() }
        while let self {
          await self.doWork()
          try? await Task.sleep(for: .seconds(1), clock: clock)
        }
      }
    }

    func startCaptured() {
      task = Task(probe: "work") { [weak self, clock, connection] in
        defer { connection.close() }
        while await self?.doWork() != nil {
          try? await Task.sleep(for: .seconds(1), clock: clock)
        }
      }
    }

    private func doWork() async { connection.use() }
    private func cleanup() { connection.close() }
  }
  // snippet:end

  /// What a worker uses, and should close.
  final class Connection: @unchecked Sendable {
    /// Called on each turn.
    var onUse: () -> Void = {}

    /// A turn of the loop.
    func use() {
      Ledger.current?.note("worked")
      onUse()
    }

    /// Notes that it was closed.
    func close() { Ledger.current?.note("cleaned up") }
  }
}
