import MemlabKit

extension Scenario {
  static let cancelOnDeinit = Scenario(
    id: "cancel-on-deinit",
    title: "deinit cancels the task, if it runs",
    document: .tasksAndMemory,
    place: "cancelling tasks",
    lesson: "08-leaks-people-had",
    question: "The list's deinit cancels the task that observes for it. Does that deinit ever run?",
    hint: "What has to happen before deinit can run? And who prevents it?",
    next: "polling-weak-self",
    endings: [
      Ending(
        "strong", "the task holds the list; the list is dropped",
        expects: .list(.leak, list: 0, observe: 0, held: ["List": .task("observe")]),
        explanation: "The task would end if deinit ran, deinit would run if the task ended. Each "
          + "waits for the other.",
        run: strong),
      Ending(
        "weak", "the task holds the list weakly; the list is dropped",
        expects: .list(.clean, list: 1, observe: 1),
        explanation: "Nobody holds the list while its task waits: deinit runs, and cancels.",
        run: weak),
      Ending(
        "disappear", "the task holds the list, and is cancelled when the list is taken away",
        expects: .list(.clean, list: 1, observe: 1),
        explanation: "Cancelled by an event that comes before deinit, the task lets go by itself. "
          + "No weak is needed then.",
        run: disappear),
    ])

  @Sendable private static func strong(_ lab: Lab) throws {
    try play(lab, on: CancelOnDeinit.Strong.List(), CancelOnDeinit.Strong.List.observe)
  }

  @Sendable private static func weak(_ lab: Lab) throws {
    try play(lab, on: CancelOnDeinit.Weak.List(), CancelOnDeinit.Weak.List.observe)
  }

  @Sendable private static func disappear(_ lab: Lab) throws {
    try play(lab, on: CancelOnDeinit.Strong.List(), CancelOnDeinit.Strong.List.observe) { list in
      try lab.release("the list is taken away") { list.disappear() }
    }
  }

  private static func play<List>(
    _ lab: Lab, on made: @autoclosure () -> List,
    _ observe: (List) -> (AsyncStream<Int>) -> Void,
    beforeDrop end: (List) throws -> Void = { _ in }
  ) throws {
    let (changes, source) = AsyncStream.makeStream(of: Int.self)
    var list: List?
    try lab.step("a list is created and observes") {
      list = made()
      list.map { observe($0)(changes) }
    }
    try lab.step("a change comes", until: lab.ledger.noted("reloaded", 1)) { source.yield(1) }
    try list.map(end)
    try lab.release("the list is dropped") { list = nil }
    try lab.step("another change comes") { source.yield(2) }
  }
}

extension Declaration {
  /// The counts of one list and the task that observes for it.
  fileprivate static func list(
    _ verdict: Verdict, list: Int, observe: Int, held: [String: DeclaredHolder] = [:]
  ) -> Declaration {
    Declaration(
      verdict, objects: [ObjectCount("List", created: 1, deinitialized: list)],
      tasks: [TaskCount("observe", started: 1, finished: observe)], held: held)
  }
}

/// Two lists that cancel their task in `deinit`.
enum CancelOnDeinit {
  enum Strong {
    // snippet:code
    final class List {
      private var task: Task<Void, Never>?
      private let probe = Probe(List.self)

      func observe(_ changes: AsyncStream<Int>) {
        task = Task(probe: "observe") {
          for await _ in changes { reload() }
        }
      }

      func disappear() { task?.cancel() }

      private func reload() { Ledger.current?.note("reloaded") }

      deinit { task?.cancel() }
    }
    // snippet:end
  }

  enum Weak {
    final class List {
      private var task: Task<Void, Never>?
      private let probe = Probe(List.self)

      // snippet:weak
      func observe(_ changes: AsyncStream<Int>) {
        task = Task(probe: "observe") { [weak self] in
          for await _ in changes { self?.reload() }
        }
      }
      // snippet:end

      private func reload() { Ledger.current?.note("reloaded") }

      deinit { task?.cancel() }
    }
  }
}
