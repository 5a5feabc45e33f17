internal import HeapGraph

/// Something that outlives the body.
struct Leak {
  /// What it is.
  enum Subject {
    /// A task, with where it waits.
    case task(TaskTrace)
    /// An object, with who holds it; without when that could not be read.
    case object(WatchedObject, RetainChain?, TaskTrace?)
    /// Tasks of which each has started the next and has ended; with one of them.
    case succession(TaskOrigin?)
    /// One task or more; more is not known without the heap, or where none was found on it.
    case tasks
  }

  /// What it is.
  let subject: Subject
  /// The thread that refers to an object that nothing else was found to hold.
  var thread: String?
  /// The task-local variables by whose values tasks keep objects, by the names of their classes.
  var taskLocals: [String: String] = [:]

  /// Whether it is an object whose chain begins at a global variable.
  var isKeptByGlobal: Bool {
    if case .object(_, let chain?, _) = subject { chain.root.kind == .global } else { false }
  }

  /// The leaks of a finding, tasks first.
  static func all(of scope: LeakScope, in finding: Finding) -> [Leak] {
    let objects = scope.survivors
    guard case .success(let look) = finding.look else {
      return (scope.hasUnfinishedTasks ? [Leak(subject: .tasks)] : [])
        + objects.map { Leak(subject: .object($0, nil, nil)) }
    }
    let unstructured = look.tasks.filter { !$0.isChild }
    let ways = look.snapshot.ways(since: scope.beginning, besides: look.strangers)
    return tasks(unstructured, of: scope, in: finding, among: look.tasks)
      + objects.map { object in
        let chain = object.chain(by: ways)
        let task = chain?.root.task.map { TaskTrace($0, among: []) }
        // What nothing can reach is not on any thread's stack.
        let isCertain = if case .certain = finding.reason { true } else { false }
        let thread = isCertain ? nil : object.thread(in: look.snapshot, beside: chain)
        return Leak(
          subject: .object(object, chain, task), thread: thread, taskLocals: look.taskLocals)
      }
  }

  private static func tasks(
    _ tasks: [HeapTask], of scope: LeakScope, in finding: Finding, among all: [HeapTask]
  ) -> [Leak] {
    if finding.trail.isSuccession { return [Leak(subject: .succession(finding.trail.latest))] }
    guard !tasks.isEmpty else {
      return scope.hasUnfinishedTasks ? [Leak(subject: .tasks)] : []
    }
    return tasks.map { Leak(subject: .task(TaskTrace($0, among: all))) }
  }
}

/// A task, and where in the code it waits.
struct TaskTrace: Sendable {
  /// The task.
  let task: HeapTask
  /// What it waits in; nil when that is not known.
  let suspendedIn: String?
  /// The user's functions, the innermost first.
  let frames: [AsyncFrame]
  /// The tasks in its groups.
  let children: [TaskTrace]

  /// Reads where a task waits, and those of its children that are among some tasks.
  init(_ task: HeapTask, among others: [HeapTask]) {
    let trace = task.pointer.flatMap {
      AsyncBacktrace(ofTask: $0, hiding: OwnModules.names)
    }
    self.task = task
    suspendedIn = trace?.suspendedIn
    frames = (trace?.frames ?? []).filter { !$0.isLibrary }
    children = others.filter { $0.isChild(of: task) }.map { TaskTrace($0, among: others) }
  }

  /// `task "forwarder"`, or where it was created when it has no name.
  var title: String { title(createdIn: origin) }

  /// The same with the line that it was created at, where that is known.
  var titleWithLine: String { title(createdIn: originWithLine) }

  private func title(createdIn origin: String?) -> String {
    task.name.map { "task \"\($0)\"" } ?? "a task" + (origin.map { " created in \($0)" } ?? "")
  }

  /// The function that the task was created in. A closure is created where it is written:
  /// `closure #1 in start()` in `start()`.
  var origin: String? {
    guard let frame = frames.last else { return nil }
    guard !frame.isImplicitClosure, let range = frame.function.firstRange(of: " in ") else {
      return frame.function
    }
    return String(frame.function[range.upperBound...])
  }

  /// The same with the line of the closure's opening brace, that of `Task {`, after ` at `; without
  /// where that is not known.
  var originWithLine: String? {
    origin.map { origin in
      (frames.last?.declaration).map { "\(origin) at \($0)" } ?? origin
    }
  }
}
