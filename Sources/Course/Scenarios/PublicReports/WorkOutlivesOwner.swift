import MemlabKit

extension Scenario {
  /// `work-outlives-owner`: work that goes on without its owner.
  static let workOutlivesOwner = Scenario(
    id: "work-outlives-owner", title: "work that goes on without its owner",
    document: .loopWithoutOwner, place: "its loop, rebuilt", lesson: "11-a-task-has-children",
    question: "The agent is deinitialised. Its task does not capture it. What is left?",
    hint: "No object holds a task. What ends one?",
    beliefs: [
      .task("The task goes on, and people assume that it holds the agent."),
      .cycle("The agent stores its task."),
    ],
    next: "tick-again",
    endings: [
      Ending(
        "drop", "the agent is dropped, and stores the handle",
        expects: .one(.leak, ["Agent": nil], finished: ["scan": 0], metrics: ["scansAfter": 3]),
        explanation: "The agent is gone, and so is the handle. Neither ends the task: it scans "
          + "every two seconds, as long as the app runs. No object leaks, so a count of objects "
          + "finds nothing.",
        claims: [
          Claim("Tasks run regardless of whether you keep a reference.", from: .skillTasks) {
            $0.metric("scansAfter") == 3
          },
          Claim(
            "the task is cancelled when its owner goes", original: "Expected: Task is cancelled",
            from: .issue(2, of: "SwiftedMind/Processed"),
            .fails(because: "no task is tied to an owner: releasing a handle cancels nothing")
          ) { $0.task("scan").live == 0 },
        ],
        run: { try play($0, cancels: false) }),
      Ending(
        "cancel", "the agent's deinit cancels the task",
        expects: .one(.clean, ["Agent": nil], finished: ["scan": 1], metrics: ["scansAfter": 0]),
        explanation: "The deinit runs, because the task does not hold the agent, and cancels. The "
          + "loop asks for that after its sleep, and ends.",
        run: { try play($0, cancels: true) }),
    ])

  private static func play(_ lab: Lab, cancels: Bool) throws {
    let (ledger, clock) = (lab.ledger, HandTurnedClock())
    @Variable("agent") var agent: WorkOutlivesOwner.Agent?
    try lab.step("an agent is created and scans", until: ledger.noted("sleeps", 1)) {
      agent = made(.init(cancels: cancels)) { $0.start(by: clock) }
    }
    try lab.release("the agent is dropped") { agent = nil }
    let before = ledger.notes(of: "scanned")
    for _ in 1...3 { try lab.step("two seconds pass") { clock.turn(by: .seconds(2)) } }
    ledger.setMetric("scansAfter", ledger.notes(of: "scanned") - before)
  }
}

/// An agent that scans every two seconds, and one that stops when it goes.
enum WorkOutlivesOwner {
  // snippet:code
  final class Agent {
    private var task: Task<Void, Never>?
    private let cancels: Bool
    private let probe = Probe(Agent.self)

    init(cancels: Bool) { self.cancels = cancels }

    func start(by clock: HandTurnedClock) {
      task = Task(probe: "scan") {
        while !Task.isCancelled {
          Ledger.current?.note("scanned")
          try? await Task.sleep(for: .seconds(2), clock: clock)
        }
      }
    }

    deinit {
      if cancels { task?.cancel() }
    }
  }
  // snippet:end
}
