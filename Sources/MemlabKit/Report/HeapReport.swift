/// What the second witness read from the heap at the end of a trial.
public struct HeapReport: Codable, Sendable {
  /// How many instances are alive, by type; types without any are left out.
  public let alive: [String: Int]
  /// How many tasks have not finished.
  public let liveTasks: Int
  /// Why each survivor is alive, in the order of the report's objects.
  public let paths: [HeapPath]
  /// The tasks that have not finished, and where each waits, in the order of the report's tasks.
  public let tasks: [HeapWaiter]
  /// How many groups of objects hold each other and are held by nothing else.
  public let cycles: Int
  /// How many blocks would be freed if the survivors and the unfinished tasks were; nil where only
  /// the holders were asked for.
  public let leakedBlocks: Int?
  /// The size of those blocks, in bytes.
  public let leakedBytes: Int?

  /// The same with the paths in the order of these types and the tasks in that of these names.
  func ordered(by types: [String], tasks names: [String]) -> HeapReport {
    let sorted = types.flatMap { type in paths.filter { $0.type == type } }
    let waiters = names.flatMap { name in tasks.filter { $0.name == name } }
    return HeapReport(
      alive: alive, liveTasks: liveTasks, paths: sorted, tasks: waiters, cycles: cycles,
      leakedBlocks: leakedBlocks, leakedBytes: leakedBytes)
  }
}

/// Why one object is alive: the shortest chain of strong references from a root to it.
public struct HeapPath: Codable, Sendable, Equatable {
  /// The type of the object.
  public let type: String
  /// What the chain begins at.
  public let root: HeapRoot
  /// The references along the chain; the last one leads to the object. Empty where only the holders
  /// were asked for.
  public let links: [HeapLink]
  /// Who holds the object in the end: `task forwarder`, or `DataCacheUseCaseImpl.dataCacheRepo`.
  public let heldBy: String
  /// How many strong references to the object were found.
  public let referencesFound: Int
  /// The runtime's own count of strong references; nil for an object that is never freed.
  public let retainCount: Int?
}

/// What a chain of strong references begins at.
public struct HeapRoot: Codable, Sendable, Equatable {
  /// The kinds of roots.
  public enum Kind: String, Codable, Sendable {
    /// A task that has not finished: the runtime keeps it.
    case task
    /// A global or static variable.
    case global
    /// A variable of the current thread.
    case stack
    /// No root: objects that hold each other.
    case cycle
    /// Nothing that was recorded.
    case unknown
  }

  /// What kind of root it is.
  public let kind: Kind
  /// The task's name, the variable's, or the type where a cycle is entered.
  public let name: String
  /// What a task waits for, such as `AsyncThrowingStream.Iterator.next()`.
  public let suspendedIn: String?
  /// Where in the code under study a task waits, the innermost function first.
  public let frames: [HeapFrame]
}

/// A function of the code under study that waits.
public struct HeapFrame: Codable, Sendable, Equatable {
  /// The function.
  public let function: String
  /// The file's name.
  public let file: String?
  /// The line of the `await`.
  public let line: Int?
}

/// A strong reference on a chain.
public struct HeapLink: Codable, Sendable, Equatable {
  /// What the reference is: `field`, `capture`, `frame`, `element`, …
  public let kind: String
  /// The property's name, the element's index, or the function whose frame it is.
  public let name: String?
  /// What it leads to: a type, or a closure.
  public let to: String
  /// Whether it leads to an object, and not to a closure or a buffer on the way.
  public let isObject: Bool
}
