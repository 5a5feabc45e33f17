import MemlabKit

extension Scenario {
  /// `isolated-deinit-cycle`: an isolated deinit in a cycle.
  static let isolatedDeinitCycle = Scenario(
    id: "isolated-deinit-cycle", title: "an isolated deinit in a cycle",
    document: .skillMemory, place: "isolated deinit", lesson: "11-a-task-has-children",
    question: "The model's isolated deinit clears the closure that holds the model. Does it run?",
    hint: "When does a deinit run, isolated or not?",
    beliefs: [
      .nobody("The deinit clears the closure, and people assume that it runs."),
      .task("People look for a task where the code says isolated."),
    ],
    next: "noncopyable-owner",
    endings: [
      Ending(
        "cycle", "the closure captures the model, which is dropped",
        expects: .one(
          .leak, ["ViewModel": .field("onChange", of: "ViewModel")], metrics: ["cleared": 0]),
        explanation: "A deinit runs when the last strong reference is released. The last one is in "
          + "the object's own closure, which the deinit would clear.",
        claims: [
          Claim("Won't break retain cycles (deinit never called if cycle exists)") {
            $0.metric("cleared") == 0 && $0.object("ViewModel").alive == 1
          },
          Claim(
            "a common mistake: assuming `isolated deinit` breaks retain cycles",
            original: "Assuming `isolated deinit` breaks retain cycles"
          ) { $0.object("ViewModel").alive == 1 },
        ],
        run: { try play($0, weakly: false) }),
      Ending(
        "weak", "the closure captures the model weakly",
        expects: .one(.clean, ["ViewModel": nil], metrics: ["cleared": 1]),
        explanation: "Nothing holds the model when it is dropped, so its deinit runs, on the main "
          + "actor.",
        claims: [
          Claim("`isolated deinit` runs cleanup on the correct actor") { $0.metric("cleared") == 1 }
        ],
        run: { try play($0, weakly: true) }),
    ])

  private static func play(_ lab: Lab, weakly: Bool) throws {
    // The first system of a Mac whose runtime has isolated deinits.
    guard #available(macOS 15.4, *) else { return }
    @Variable("viewModel") var viewModel: IsolatedDeinitCycle.ViewModel?
    try lab.step("a model is created and observes itself") {
      viewModel = IsolatedDeinitCycle.ViewModel()
      MainActor.assumeIsolated { weakly ? viewModel?.observeWeakly() : viewModel?.observe() }
    }
    // In a task: outside of any, Swift 6.2 frees the task-local values twice that a deinit is given which
    // becomes a job.
    nonisolated(unsafe) let variable = _viewModel
    try lab.release("the model is dropped") { Task { variable.wrappedValue = nil } }
    lab.ledger.setMetric("cleared", lab.ledger.notes(of: "cleared on the main actor"))
  }
}

/// A model with a closure that may hold it, and a deinit that clears the closure.
@available(macOS 15.4, *) enum IsolatedDeinitCycle {
  // snippet:code
  @MainActor final class ViewModel {
    private var onChange: (() -> Void)?
    private var changes = 0
    private let ledger = Ledger.current  // A deinit that is a job of its own sees no task-locals.
    private let probe = Probe(ViewModel.self)

    nonisolated init() {}

    func observe() {
      onChange = { self.changes += 1 }
    }

    func observeWeakly() {
      onChange = { [weak self] in self?.changes += 1 }
    }

    isolated deinit {
      onChange = nil
      MainActor.assertIsolated()
      ledger?.note("cleared on the main actor")
    }
  }
  // snippet:end
}
