import MemlabKit

extension Scenario {
  /// `task-local-copy`: a task-local value that a task has copied.
  static let taskLocalCopy = Scenario(
    id: "task-local-copy", title: "a task-local value that a task has copied",
    document: .taskLocalCopies, place: "its tasks, rebuilt", lesson: "11-a-task-has-children",
    question: "A request is bound to a task-local variable while a handler runs. The handler "
      + "starts a task and returns. Is the request deinitialised?",
    hint: "The task's closure does not use the request. What else does a task take with it?",
    beliefs: [
      .nobody("withValue has returned, and the closure captures nothing."),
      .global("A task-local variable is declared static, like a global one."),
    ],
    next: "unstructured-child",
    endings: [
      Ending(
        "task", "the task that was started waits",
        expects: .one(
          .leak, ["Request": .task("audit")], finished: ["audit": 0], metrics: ["aliveAfter": 1]),
        explanation: "Task { } copies all task-local values. They stay with it until it ends, "
          + "although its code never reads them.",
        claims: [
          Claim(
            "Task-local values are retained until `withValue`'s `operation` scope exits",
            from: .taskLocals,
            .fails(
              because: "that is so for a task and its children. An unstructured task has a copy, "
                + "which lives as long as the task")
          ) { $0.metric("aliveAfter") == 0 }
        ],
        run: { try play($0) { $0.handle($1, auditingAt: $2) } }),
      Ending(
        "none", "no task is started",
        expects: .one(.clean, ["Request": nil], metrics: ["aliveAfter": 0]),
        explanation: "withValue releases the value when its operation returns.",
        claims: [
          Claim(
            "Task-local values are retained until `withValue`'s `operation` scope exits",
            from: .taskLocals
          ) { $0.metric("aliveAfter") == 0 }
        ],
        run: { try play($0) { server, request, _ in server.handle(request) } }),
      Ending(
        "cleared", "the value is unbound where the task is started, and the task waits",
        expects: .one(.leak, ["Request": nil], finished: ["audit": 0], metrics: ["aliveAfter": 0]),
        explanation: "The task copies what is bound where it is started: nil. It still waits "
          + "forever, but it holds no request.",
        run: { try play($0) { $0.handleCleared($1, auditingAt: $2) } }
      )
      .asking("The variable is set to nil around the task. What does the task copy?"),
    ])

  private static func play(
    _ lab: Lab,
    handle: (TaskLocalCopy.Server, TaskLocalCopy.Request, Gate) -> Void
  ) throws {
    let gate = Gate()
    @Variable("request") var request: TaskLocalCopy.Request?
    try lab.step("a request is handled") { request = made(.init()) { handle(.init(), $0, gate) } }
    try lab.release("the request is dropped") { request = nil }
    lab.ledger.setMetric("aliveAfter", lab.ledger.totals.object("Request").alive)
    withExtendedLifetime(gate) {}
  }
}

/// A server that binds its request to a task-local variable.
enum TaskLocalCopy {
  // snippet:code
  final class Request: Sendable {
    private let probe = Probe(Request.self)
  }

  enum Context {
    @TaskLocal static var request: Request?
  }

  struct Server {
    func handle(_ request: Request, auditingAt gate: Gate) {
      Context.$request.withValue(request) { audit(at: gate) }
    }

    func handleCleared(_ request: Request, auditingAt gate: Gate) {
      Context.$request.withValue(request) {
        Context.$request.withValue(nil) { audit(at: gate) }
      }
    }

    func handle(_ request: Request) {
      Context.$request.withValue(request) { answer() }
    }

    private func answer() {}

    private func audit(at gate: Gate) {
      Task(probe: "audit") { await gate.opened() }
    }
  }
  // snippet:end
}
