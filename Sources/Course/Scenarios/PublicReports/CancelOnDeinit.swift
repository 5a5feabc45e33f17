import MemlabKit

extension Scenario {
  /// `cancel-on-deinit`: deinit cancels the task, if it runs.
  static let cancelOnDeinit = Scenario(
    id: "cancel-on-deinit", title: "deinit cancels the task, if it runs", document: .tasksAndMemory,
    place: "cancelling tasks", lesson: "08-leaks-people-had",
    question: "The list's deinit cancels the task that observes for it. Does that deinit ever run?",
    hint: "What must happen before deinit can run? And what prevents it?",
    beliefs: [
      .nobody("deinit cancels the task, and people assume that it runs."),
      .cycle("The owner stores its task, and the task uses the owner."),
    ], next: "polling-weak-self",
    endings: [
      Ending(
        "strong", "the task holds the list; the list is dropped",
        expects: .one(.leak, ["List": .task("observe")], finished: ["observe": 0]),
        explanation: "The task would end if deinit ran, and deinit would run if the task ended. "
          + "Each waits for the other.",
        run: { try play($0, on: CancelOnDeinit.Strong.List()) { $0.observe } }),
      Ending(
        "weak", "the task holds the list weakly; the list is dropped",
        expects: .one(.clean, ["List": nil], finished: ["observe": 1]),
        explanation: "Nothing holds the list while its task waits, so deinit runs and cancels the "
          + "task.",
        run: { try play($0, on: CancelOnDeinit.Weak.List()) { $0.observe } }),
      Ending(
        "disappear", "the task holds the list, and is cancelled when the list is taken away",
        expects: .one(.clean, ["List": nil], finished: ["observe": 1]),
        explanation: "The task is cancelled by an event that comes before deinit, and then "
          + "releases the list. No weak reference is needed.",
        run: {
          try play(
            $0, on: CancelOnDeinit.Strong.List(), { $0.observe }, takenAway: { $0.disappear() })
        }),
    ])

  private static func play<List>(
    _ lab: Lab, on new: @autoclosure () -> List, _ observe: (List) -> (AsyncStream<Int>) -> Void,
    takenAway end: ((List) -> Void)? = nil
  ) throws {
    let (changes, source) = AsyncStream.makeStream(of: Int.self)
    @Variable("list") var list: List?
    try lab.step("a list is created and observes") { list = made(new()) { observe($0)(changes) } }
    try lab.step("a change comes", until: lab.ledger.noted("reloaded", 1)) { source.yield(1) }
    if let end { try lab.release("the list is taken away") { list.map(end) } }
    try lab.release("the list is dropped") { list = nil }
    try lab.step("another change comes") { source.yield(2) }
  }
}

/// Two lists that cancel their task in `deinit`.
enum CancelOnDeinit {
  /// The task holds the list.
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

  /// The task holds the list weakly.
  enum Weak {
    /// A list whose task observes for it.
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
