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
    #if !MEMLAB_PORTABLE
      if case .success(let look) = finding.look { return all(of: scope, in: finding, look) }
    #endif
    return (scope.hasUnfinishedTasks ? [Leak(subject: .tasks)] : [])
      + scope.survivors.map { Leak(subject: .object($0, nil, nil)) }
  }

  #if !MEMLAB_PORTABLE
    private static func all(of scope: LeakScope, in finding: Finding, _ look: HeapLook) -> [Leak] {
      let ways = look.snapshot.chainFinder(since: scope.beginning, besides: look.othersTasks)
      let held = scope.survivors.map { (object: $0, chain: $0.chain(by: ways)) }
      // What nothing can reach is on the stack of no thread but one that nothing wakes.
      let isOnStack =
        if case .certain = finding.reason { look.spentWay == .blockedThread } else { true }
      let threads = isOnStack ? WatchedObject.threads(of: held, in: look.snapshot) : [:]
      return tasks(of: scope, in: finding, look.tasks)
        + held.map { object, chain in
          let task = chain?.root.task.map { TaskTrace($0, among: []) }
          return Leak(
            subject: .object(object, chain, task), thread: threads[object.address],
            taskLocals: look.taskLocals)
        }
    }

    // A child is told of with the task that waits for it.
    private static func tasks(
      of scope: LeakScope, in finding: Finding, _ tasks: [HeapTask]
    ) -> [Leak] {
      if finding.trail.isSuccession { return [Leak(subject: .succession(finding.trail.latest))] }
      let parents = tasks.filter { !$0.isChild }
      guard !parents.isEmpty else { return scope.hasUnfinishedTasks ? [Leak(subject: .tasks)] : [] }
      return parents.map { Leak(subject: .task(TaskTrace($0, among: tasks))) }
    }
  #endif
}

extension TaskTrace {
  /// Reads where a task of a test waits, and those of its children that are among some tasks.
  init(_ task: HeapTask, among others: [HeapTask]) {
    self.init(task, among: others, hiding: OwnModules.names)
  }
}

/// A number for a leak that is the same in every run, and for every leak of the same kind.
///
/// Made of names only: those of the functions that a task waits in, and those of the references
/// from the root to the object. No addresses, lines or counts.
struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
  /// Twelve hexadecimal digits: 48 bits of FNV-1a.
  let description: String

  /// The fingerprint of a leak.
  init(of leak: Leak) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in Self.names(of: leak).joined(separator: "\n").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash >> 16, radix: 16)
    description = String(repeating: "0", count: 12 - digits.count) + digits
  }

  private static func names(of leak: Leak) -> [String] {
    switch leak.subject {
    case .task(let trace): ["task"] + names(of: trace)
    case .object(let object, let chain, let task):
      ["object", object.type] + (task.map(names) ?? [])
        + (chain.map { names(of: $0, hasTask: task != nil) } ?? [])
    case .succession(let origin): ["succession", origin?.function ?? ""]
    case .tasks: ["tasks"]
    }
  }

  // Where the test itself is at that moment, which has the body on its stack, is chance.
  private static func names(of trace: TaskTrace) -> [String] {
    let place = [trace.suspendedIn ?? ""] + trace.frames.map(\.fullName)
    return [trace.task.name ?? ""] + (trace.task.isOfTestLibrary ? [] : place)
  }

  // Whether a waiting task holds an object in a closure, a frame or a slab is the optimiser's choice.
  private static func names(of chain: RetainChain, hasTask: Bool) -> [String] {
    return [chain.root.kind.rawValue] + (hasTask ? [] : [chain.root.node.name])
      + chain.links.flatMap {
        // Of `state.items` only the property, as in the fingerprints that baselines have.
        let property = $0.kind == .field ? String(($0.name ?? "").prefix { $0 != "." }) : ""
        return $0.target.isObject ? [property, $0.target.name] : property.isEmpty ? [] : [property]
      }
  }
}
