import MemlabHeapModel
import MemlabHeapReader

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
    #if MEMLAB_PORTABLE
      return []
    #else
      let unstructured = look.tasks.filter { !$0.isChild }
      let ways = look.snapshot.chainFinder(since: scope.beginning, besides: look.strangers)
      let held = objects.map { (object: $0, chain: $0.chain(by: ways)) }
      // What nothing can reach is not on any thread's stack.
      let isCertain = if case .certain = finding.reason { true } else { false }
      let threads = isCertain ? [:] : WatchedObject.threads(of: held, in: look.snapshot)
      return tasks(unstructured, of: scope, in: finding, among: look.tasks)
        + held.map { object, chain in
          let task = chain?.root.task.map { TaskTrace($0, among: []) }
          return Leak(
            subject: .object(object, chain, task), thread: threads[object.address],
            taskLocals: look.taskLocals)
        }
    #endif
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

extension TaskTrace {
  /// Reads where a task of a test waits, and those of its children that are among some tasks.
  init(_ task: HeapTask, among others: [HeapTask]) {
    self.init(task, among: others, hiding: OwnModules.names)
  }
}
