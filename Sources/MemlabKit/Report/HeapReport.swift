public import HeapGraph

/// What the second witness read from the heap at the end of a trial.
public struct HeapReport: Codable, Sendable {
  /// How many instances are alive, by type; types without any are left out.
  public let alive: [String: Int]
  /// How many tasks have not finished.
  public let liveTasks: Int
  /// Why each survivor is alive, in the order of the report's objects.
  public let paths: [RetainChain]
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

/// A task that has not finished, as the heap shows it.
public struct HeapWaiter: Codable, Sendable, Equatable {
  /// The task's name.
  public let name: String
  /// Whether it was cancelled.
  public let isCancelled: Bool
  /// What it waits for, such as `AsyncThrowingStream.Iterator.next()`.
  public let suspendedIn: String?
  /// Where in the code under study it waits, the innermost function first.
  public let frames: [HeapFrame]
}
