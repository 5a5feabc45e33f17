import MemlabKit
import Synchronization

extension Scenario {
  /// `group-results`: a task group whose results nobody takes.
  static let groupResults = Scenario(
    id: "group-results", title: "a task group whose results nobody takes",
    document: .jobsGroup, place: "its worker, rebuilt", lesson: "11-a-task-has-children",
    question: "Ten jobs are done, and the worker waits for the next. How many receipts are alive?",
    hint: "A group hands out the results of its children one by one. Where is one meanwhile?",
    beliefs: [
      .nobody("The jobs are done, and nobody uses their results."),
      .cycle("What stays alive without a variable is called a cycle."),
    ],
    next: "finished-handles",
    endings: [
      Ending(
        "waiting", "ten jobs are done, and the worker waits for more",
        expects: .several(
          .leak, ["Receipt": (10, 0)], tasks: ["work": (1, 0)],
          metrics: ["atOnce": 10, "kept": 10], held: ["Receipt": .task("")]),
        explanation: "A group keeps each finished child, with its result, until next() takes it or "
          + "the group's scope ends. A worker that runs as long as its server never comes to "
          + "either.",
        run: { try play($0, { await $0.keepResults() }, end: nil) }),
      Ending(
        "void", "the same, and the jobs return nothing",
        expects: .several(
          .leak, ["Receipt": (10, 10)], tasks: ["work": (1, 0)],
          metrics: ["atOnce": 10, "kept": 0, "children": 10]),
        explanation: "The receipts are gone when their jobs are done. The ten child tasks are not: "
          + "a result of nothing is a result, too, and stays with its task.",
        claims: [
          Claim(
            "a group of Void stores nothing",
            original: "even a `Void.self` job allocated memory per job",
            .fails(because: "it keeps ten finished tasks, as the report says")
          ) { $0.metric("children") == 0 },
          Claim(
            "will leak all the child `Task` objects until the listening socket either terminates "
              + "or throws", from: .discardingGroups
          ) { $0.metric("children") == 10 },
        ],
        run: { try play($0, { await $0.keepNothing() }, end: nil) }
      )
      .asking("The jobs return nothing. How many of their ten tasks are left?"),
      Ending(
        "closed", "ten jobs are done, and no more come",
        expects: .several(
          .clean, ["Receipt": (10, 10)], tasks: ["work": (1, 1)],
          metrics: ["atOnce": 10, "kept": 10]),
        explanation: "The end of the scope waits for the children and releases their results. A "
          + "group that ends soon needs no draining.",
        claims: [
          Claim(
            "There is no actual leak, and memory is not growing up",
            from: .issue(60090, of: "swiftlang/swift")
          ) { $0.object("Receipt").alive == 0 && $0.totals.liveTasks == 0 },
          Claim("Automatically waits for completion", from: .skillTasks) {
            $0.task("work").live == 0
          },
        ],
        run: { try play($0, { await $0.keepResults() }) }),
      Ending(
        "discarding", "a discarding group, and no more jobs come",
        expects: .several(
          .clean, ["Receipt": (10, 10)], tasks: ["work": (1, 1)],
          metrics: ["atOnce": 10, "kept": 0]),
        explanation: "A discarding group releases each child when it is done. It starts whatever "
          + "is added: ten jobs ran at once, and a thousand would.",
        claims: [
          Claim("More memory efficient (doesn't store results)", from: .skillTasks) {
            $0.metric("kept") == 0
          },
          Claim("GOOD, no leaks!", from: .discardingGroups) { $0.metric("kept") == 0 },
          Claim(
            "fire-and-forget with backpressure … bounded concurrency",
            from: .pull(691, of: "nimblehq/ios-templates"),
            .fails(because: "ten jobs were added, and ten ran at once: nothing bounds them")
          ) { $0.metric("atOnce") < 10 },
        ],
        run: { try play($0, { await $0.discardResults() }) }),
    ])

  private static func play(
    _ lab: Lab, _ work: @escaping @Sendable (GroupResults.Worker) async -> Void,
    end: String? = "no more jobs come"
  ) throws {
    let (ledger, gate) = (lab.ledger, Gate())
    let (jobs, source) = AsyncStream.makeStream(of: Int.self)
    let worker = GroupResults.Worker(jobs: jobs, gate: gate)
    try lab.step("a worker takes ten jobs", until: ledger.noted("begun", 10)) {
      Task(probe: "work") { await work(worker) }
      for job in 1...10 { source.yield(job) }
    }
    ledger.setMetric("atOnce", ledger.notes(of: "begun") - ledger.notes(of: "done"))
    try lab.release("the jobs are done", until: ledger.noted("done", 10)) { gate.open() }
    ledger.setMetric("kept", ledger.totals.object("Receipt").alive)
    if let children = worker.children.alive { ledger.setMetric("children", children) }
    if let end { try lab.release(end) { source.finish() } }
    withExtendedLifetime(source) {}
  }
}

/// A worker that runs each job in a child task.
enum GroupResults {
  // snippet:code
  final class Receipt: Sendable {
    private let probe = Probe(Receipt.self)
  }

  struct Worker: Sendable {
    let jobs: AsyncStream<Int>
    let gate: Gate
    let children = Children()

    func keepResults() async {
      await withTaskGroup(of: Receipt.self) { group in
        for await _ in jobs { group.addTask { await run() } }
      }
    }

    func keepNothing() async {
      await withTaskGroup(of: Void.self) { group in
        for await _ in jobs {
          group.addTask {
            children.add()
            _ = await run()
          }
        }
      }
    }

    func discardResults() async {
      await withDiscardingTaskGroup { group in
        for await _ in jobs { group.addTask { _ = await run() } }
      }
    }

    private func run() async -> Receipt {
      Ledger.current?.note("begun")
      await gate.opened()
      defer { Ledger.current?.note("done") }
      return Receipt()
    }
  }
  // snippet:end

  /// The tasks of jobs, each as a weak reference, to ask which of them the runtime still has.
  ///
  /// The runtime frees a task without the side table that a weak reference has made for it. So this is
  /// for an ending that leaks anyway.
  final class Children: Sendable {
    private struct Child: @unchecked Sendable { weak var task: AnyObject? }

    private let all = Mutex<[Child]>([])

    /// How many of them have not been freed; nil where none was added.
    var alive: Int? { all.withLock { all in all.isEmpty ? nil : all.count { $0.task != nil } } }

    /// Adds the task that calls this. A task is a native object of the runtime, with a count of its
    /// own: see `AsyncTask` in include/swift/ABI/Task.h.
    func add() {
      withUnsafeCurrentTask { task in
        guard let task else { return }
        let child = Child(task: unsafeBitCast(task, to: AnyObject.self))
        all.withLock { $0.append(child) }
      }
    }
  }
}
