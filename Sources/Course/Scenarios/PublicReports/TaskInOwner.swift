import MemlabKit

extension Scenario {
  /// `task-in-owner`: a task that its owner stores.
  static let taskInOwner = Scenario(
    id: "task-in-owner", title: "a task that its owner stores", document: .tasksAndMemory,
    place: "implicit captures", lesson: "08-leaks-people-had",
    question: "The loader stores its task, and the task's closure sets a property of the loader. "
      + "Neither reference is weak. Is it a leak?",
    hint: "The code does not say self, but the closure captures it. What releases it, and when?",
    beliefs: [
      .cycle(
        "The loader stores the task, and the task's closure uses the loader. That circle ends with "
          + "the task."
      ), .nobody("People assume that a task is cancelled when its handle is released."),
    ], next: "cancel-on-deinit",
    endings: [
      Ending(
        "done", "the server answers, then the loader is dropped",
        expects: .one(.clean, ["Loader": nil], finished: ["load": 1]),
        explanation: "A task releases its closure when its body ends. There was a cycle, and now "
          + "it is gone.",
        on: TaskInOwner.Stage.init
      ) { [$0.load, $0.answer, $0.dropLoader] },
      Ending(
        "late", "the loader is dropped, then the server answers",
        expects: .one(
          .clean, ["Loader": nil], finished: ["load": 1],
          metrics: ["aliveWhileLoading": 1]),
        explanation: "The loader outlives its owner until the work is done, and is deinitialised "
          + "when the task ends. It lives longer, but it does not leak.",
        on: TaskInOwner.Stage.init
      ) { [$0.load, $0.dropLoader, $0.enterAlive, $0.answerLate] }
      .claiming(
        "objects end up being implicitly captured while the asynchronous code is executed",
        original:
          "objects and values often end up being implicitly captured while our asynchronous code "
          + "is being executed"
      ) { $0.metric("aliveWhileLoading") == 1 && $0.object("Loader").alive == 0 },
      Ending(
        "never", "the loader is dropped, and the server never answers",
        expects: .one(
          .leak, ["Loader": .task("load")], finished: ["load": 0],
          metrics: ["aliveWhileLoading": 1]),
        explanation: "Work that never ends keeps everything that it uses forever. Nobody can "
          + "cancel the task: its only handle is in the loader.",
        on: TaskInOwner.Stage.init
      ) { [$0.load, $0.dropLoader, $0.enterAlive] },
    ])
}

/// A loader whose task loads into it.
enum TaskInOwner {
  // snippet:code
  final class Loader {
    private var text = ""
    private var task: Task<Void, Never>?
    private let probe = Probe(Loader.self)

    func load(from server: Server) {
      task = Task(probe: "load") { text = await server.text() }
    }
  }
  // snippet:end

  /// A server that answers when the stage tells it to.
  struct Server: Sendable {
    private let gate = Gate()

    /// The text that it sends.
    func text() async -> String {
      Ledger.current?.note("asked")
      await gate.opened()
      return "text"
    }

    /// Answers all requests.
    func answer() { gate.open() }
  }

  /// Holds a loader, and runs the steps of its endings.
  final class Stage {
    private let lab: Lab
    private let server = Server()
    @Variable("loader") private var loader: Loader?

    /// A stage without a loader.
    init(_ lab: Lab) { self.lab = lab }

    /// Creates a loader that loads from a server.
    func load() throws {
      try lab.step("a loader is created and loads", until: lab.ledger.noted("asked", 1)) {
        loader = made(.init()) { $0.load(from: server) }
      }
    }

    /// Answers while the loader is there.
    func answer() throws { try lab.step("the server answers") { server.answer() } }

    /// Answers when the loader was dropped.
    func answerLate() throws { try lab.release("the server answers") { server.answer() } }

    /// Drops the loader.
    func dropLoader() throws { try lab.release("the loader is dropped") { loader = nil } }

    /// Records how many loaders are alive.
    func enterAlive() {
      lab.ledger.setMetric("aliveWhileLoading", lab.ledger.totals.object("Loader").alive)
    }
  }
}
