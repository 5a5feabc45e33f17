import MemlabKit

extension Scenario {
  /// `finished-handles`: handles of finished tasks in a dictionary.
  static let finishedHandles = Scenario(
    id: "finished-handles", title: "handles of finished tasks in a dictionary",
    document: .webKitTasks, place: "its dictionary, rebuilt", lesson: "11-a-task-has-children",
    question: "Three pages were loaded, and a dictionary has the handles of the three finished "
      + "tasks. What do these hold?",
    hint: "value can be asked for again and again. Where does the answer come from?",
    beliefs: [
      .nobody("The tasks have finished, and a finished task is said to be gone."),
      .variable("Somebody must have stored the pages, people say."),
    ],
    next: "task-local-copy",
    endings: [
      Ending(
        "kept", "the handles stay in the dictionary",
        expects: .several(
          .leak, ["Request": (3, 3), "Page": (3, 0)], tasks: ["load": (3, 3)],
          held: ["Page": .anyOf(.task("load"), .aGlobal)]),
        explanation: "A finished task releases its closure, so the three requests are gone. It "
          + "keeps its result as long as somebody holds its handle.",
        claims: [
          Claim(
            "a finished task stays alive because it is neither awaited nor cancelled",
            original: "Not being explicitly awaited or cancelled",
            from: .pull(827, of: "GetStream/stream-video-swift"),
            .fails(
              because:
                "the bodies have ended, and what they captured is gone. The handle keeps the "
                + "result, whether it is awaited or not")
          ) { $0.object("Request").alive > 0 }
        ],
        run: { try play($0) }),
      Ending(
        "removed", "each handle is removed when its task is done",
        expects: .several(
          .clean, ["Request": (3, 3), "Page": (3, 3)], tasks: ["load": (3, 3)]),
        explanation: "The dictionary has open work only. The page goes to those who asked.",
        run: { try play($0, removing: true) }),
      Ending(
        "dropped", "the loader is dropped, with its handles",
        expects: .several(
          .clean, ["Request": (3, 3), "Page": (3, 3)], tasks: ["load": (3, 3)]),
        explanation: "Releasing a handle of a finished task releases its result.",
        run: { try play($0, keeping: false) }
      )
      .asking("The loader itself is dropped, and with it the handles. What of the three pages?"),
    ])

  private static func play(
    _ lab: Lab, keeping isKept: Bool = true, removing removes: Bool = false
  ) throws {
    let gate = Gate()
    @Variable("loader") var loader: FinishedHandles.Loader?
    try lab.step("a loader loads three pages") {
      let made = FinishedHandles.Loader()
      loader = isKept ? AppWide.keep(made, for: lab.ledger) : made
      for id in 1...3 { loader?.load(id, when: gate) }
    }
    try lab.step("the server answers", until: lab.ledger.allTasksFinished) { gate.open() }
    if removes { try lab.release("the handles are removed") { loader?.removeAll() } }
    try lab.release("the variable is dropped") { loader = nil }
  }
}

/// A loader that keeps the handle of each task.
enum FinishedHandles {
  // snippet:code
  final class Request: Sendable {
    private let probe = Probe(Request.self)
  }

  final class Page: Sendable {
    private let probe = Probe(Page.self)
  }

  final class Loader {
    private var tasks: [Int: Task<Page, Never>] = [:]

    func load(_ id: Int, when answered: Gate) {
      let request = Request()
      tasks[id] = Task(probe: "load") {
        await answered.opened()
        withExtendedLifetime(request) {}
        return Page()
      }
    }

    func removeAll() { tasks = [:] }
  }
  // snippet:end
}
