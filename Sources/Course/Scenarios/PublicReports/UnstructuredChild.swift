import MemlabKit

extension Scenario {
  /// `unstructured-child`: a task that was started inside a cancelled one.
  static let unstructuredChild = Scenario(
    id: "unstructured-child", title: "a task started inside a cancelled one",
    document: .taskInModifier, place: "its .task, rebuilt", lesson: "11-a-task-has-children",
    question: "A view's task starts a task of its own. The view goes away, and its task is "
      + "cancelled. Does the inner one end?",
    hint: "Which tasks does cancel() reach?",
    beliefs: [
      .nobody("The view's task was cancelled, and what is inside it with it."),
      .cycle("An object that stays alive is said to be in a cycle."),
    ],
    next: "work-outlives-owner",
    endings: [
      Ending(
        "inner", "the model observes in a task of its own",
        expects: .one(.leak, ["Model": .task("observe")], finished: ["view": 1, "observe": 0]),
        explanation: "Task { } has no parent, wherever it is written. The view's task had already "
          + "ended when it was cancelled. Nobody has a handle of the inner one.",
        claims: [
          Claim(
            "the task is cancelled with the view",
            original: "it was never cancelled and kept running (and retaining its captures)",
            .fails(because: "the inner task is still there, and holds the model")
          ) { $0.task("observe").live == 0 },
          Claim(
            "I thought the Task cancellation would get passed down",
            from: .thread("forums.swift.org/t/75329", "Swift forums 75329"),
            .fails(because: "only child tasks are cancelled with their parent")
          ) { $0.task("observe").live == 0 },
          Claim(
            "If the task outlives its owner, it retains captured objects indefinitely.",
            from: .skillMemory
          ) { $0.object("Model").alive == 1 },
          Claim("Independent lifecycle, manual cancellation", from: .skillTasks) {
            $0.task("view").live == 0 && $0.task("observe").live == 1
          },
        ],
        run: { try play($0) { $0.observeInTask($1) } }),
      Ending(
        "detached", "the model observes in a detached task",
        expects: .one(.leak, ["Model": .task("observe")], finished: ["view": 1]),
        explanation: "A detached task outlives the view as the other one does. It differs in what "
          + "it does not take over: the actor, the priority and the task-local values.",
        claims: [
          Claim(
            "Task.detached … will stay alive beyond the ViewModel",
            original: "runs on a global actor and will stay alive beyond the ViewModel",
            from: .pull(3274, of: "CruGlobal/godtools-swift")
          ) { $0.object("Model").alive == 1 }
        ],
        run: { try play($0) { $0.observeDetached($1) } }
      )
      .leaving(libraryTasks: 1)
      .asking("The inner task is a detached one. Does it end with the view's?"),
      Ending(
        "direct", "the view's task observes itself",
        expects: .one(.clean, ["Model": nil], finished: ["view": 1]),
        explanation: "There is one task, and it is cancelled: its loop ends.",
        claims: [
          Claim("Task cancels automatically when view disappears.", from: .skillTasks) {
            $0.task("view").live == 0
          }
        ],
        run: { try play($0) { await $0.observe($1) } }),
      Ending(
        "child", "the model observes in a child task",
        expects: .one(.clean, ["Model": nil], finished: ["view": 1]),
        explanation: "A child task is cancelled with its parent, and the parent waits for it.",
        claims: [
          Claim("Canceling a parent automatically notifies all children", from: .skillTasks) {
            $0.totals.liveTasks == 0 && $0.object("Model").alive == 0
          },
          Claim("Bound to parent, inherit context, automatic cancellation", from: .skillTasks) {
            $0.totals.liveTasks == 0
          },
        ],
        run: { try play($0) { await $0.observeInChild($1) } }),
    ])

  private static func play(
    _ lab: Lab,
    appear: @escaping @Sendable (UnstructuredChild.Model, AsyncStream<Int>) async -> Void
  ) throws {
    let (changes, source) = AsyncStream.makeStream(of: Int.self)
    @Variable("model") var model: UnstructuredChild.Model?
    @Variable("view") var view: Task<Void, Never>?
    let ledger = lab.ledger
    try lab.step("a view appears, with its model", until: ledger.noted("observes", 1)) {
      let made = UnstructuredChild.Model(ledger)
      model = made
      view = Task(probe: "view") { await appear(made, changes) }
    }
    try lab.release("the view goes away: its task is cancelled") {
      view?.cancel()
      view = nil
      model = nil
    }
    withExtendedLifetime(source) {}
  }
}

/// A model whose view calls it from SwiftUI's `.task`.
enum UnstructuredChild {
  // snippet:code
  final class Model: @unchecked Sendable {
    private let ledger: Ledger
    private let probe = Probe(Model.self)

    init(_ ledger: Ledger) { self.ledger = ledger }

    func observe(_ changes: AsyncStream<Int>) async {
      ledger.note("observes")
      for await _ in changes { ledger.note("changed") }
    }

    func observeInTask(_ changes: AsyncStream<Int>) {
      Task(probe: "observe") { await observe(changes) }
    }

    func observeDetached(_ changes: AsyncStream<Int>) {
      Task.detached(name: "observe") { await self.observe(changes) }
    }

    func observeInChild(_ changes: AsyncStream<Int>) async {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.observe(changes) }
      }
    }
  }
  // snippet:end
}
