package import HeapGraph

/// What the second witness read from the heap at the end of a trial.
package struct HeapReport: Codable, Sendable {
  /// How many instances are alive, by type; types without any are left out.
  package let alive: [String: Int]
  /// How many tasks have not finished.
  package let liveTasks: Int
  /// Why each survivor is alive, in the order of the report's objects.
  package let paths: [RetainChain]
  /// The tasks that have not finished, and where each waits, in the order of the report's tasks.
  package let tasks: [HeapWaiter]
  /// How many groups of objects hold each other and are held by nothing else.
  package let cycles: Int
  /// How many blocks would be freed if the survivors and the unfinished tasks were; nil where only
  /// the holders were asked for.
  package let leakedBlocks: Int?
  /// The size of those blocks, in bytes.
  package let leakedBytes: Int?

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
package struct HeapWaiter: Codable, Sendable, Equatable {
  /// The task's name.
  package let name: String
  /// Whether it was cancelled.
  package let isCancelled: Bool
  /// What it waits for, such as `AsyncThrowingStream.Iterator.next()`.
  package let suspendedIn: String?
  /// Where in the code under study it waits, the innermost function first.
  package let frames: [HeapFrame]
}
