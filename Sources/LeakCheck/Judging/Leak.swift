internal import HeapGraph

/// Something that outlives the body.
struct Leak {
  /// What it is.
  enum Subject {
    /// A task, with where it waits.
    case task(TaskTrace)
    /// An object, with who holds it; without when that could not be read.
    case object(WatchedObject, RetainPath?, TaskTrace?)
    /// One task or more; more is not known without the heap.
    case tasks
  }

  /// What it is.
  let subject: Subject

  /// The leaks of a finding, tasks first.
  static func all(of scope: LeakScope, in finding: Finding) -> [Leak] {
    let objects = scope.survivors
    guard case .success(let look) = finding.look else {
      return (scope.hasUnfinishedTasks ? [Leak(subject: .tasks)] : [])
        + objects.map { Leak(subject: .object($0, nil, nil)) }
    }
    let unstructured = look.tasks.filter { !$0.isChild }
    return unstructured.map { Leak(subject: .task(TaskTrace($0, among: look.tasks))) }
      + objects.map { object in
        let path = object.path(in: look.snapshot)
        let root = path?.task.map { TaskTrace($0, among: []) }
        return Leak(subject: .object(object, path, root))
      }
  }
}

/// A task, and where in the code it waits.
struct TaskTrace {
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
    let trace = task.pointer.flatMap { AsyncBacktrace(ofTask: $0, hiding: ["LeakCheck"]) }
    self.task = task
    suspendedIn = trace?.suspendedIn
    frames = (trace?.frames ?? []).filter { !$0.isLibrary }
    children = others.filter { $0.isChild(of: task) }.map { TaskTrace($0, among: others) }
  }

  /// `task "forwarder"`, or where it was created when it has no name.
  var title: String {
    task.name.map { "task \"\($0)\"" } ?? "a task" + (origin.map { " created in \($0)" } ?? "")
  }

  /// Where the task was created. A closure is created where it is written: `closure #1 in start()`
  /// in `start()`.
  var origin: String? {
    guard let function = frames.last?.function else { return nil }
    guard let range = function.firstRange(of: " in ") else { return function }
    return String(function[range.upperBound...])
  }
}
