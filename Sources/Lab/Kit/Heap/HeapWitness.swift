package import MemlabHeapModel
import MemlabPlatform

/// The second witness: reads the real heap and does not know what the probes have reported.
///
/// Trials need no more of it, so that scenarios are compiled beside what reads memory, and not after.
package protocol HeapWitness: Sendable {
  /// What it cannot tell here, as a sentence; nil where it knows everything that it should.
  var remark: String? { get }

  /// Reads the heap as it is now, and goes on recording. What the reading takes is not recorded.
  ///
  /// - Parameters:
  ///   - types: the types to look for.
  ///   - variables: the names of the trial's variables, by their addresses.
  /// - Throws: ``HeapUnreadable`` when the heap cannot be read after all.
  func glance(
    _ types: [any AnyObject.Type], variables: [UInt: String]
  ) throws(HeapUnreadable) -> (report: HeapReport, map: HolderMap)

  /// Reads the heap as it is now.
  ///
  /// - Parameters:
  ///   - types: the types to look for.
  ///   - detail: how much is to be found out.
  /// - Throws: ``HeapUnreadable`` when the heap cannot be read after all.
  func read(_ types: [any AnyObject.Type], detail: HeapDetail) throws(HeapUnreadable) -> HeapReport

  /// Cancels an unfinished task.
  ///
  /// - Parameters:
  ///   - task: its name.
  ///   - number: which of those with that name, in order of creation, from 1.
  /// - Returns: whether there is such a task.
  func cancel(task: String, number: Int) -> Bool
}

/// The second witness of a program: how it is made, and whether it can be trusted on this machine.
///
/// Commands need no more of it, so that they are compiled beside what reads memory, and not after.
package protocol ProcessHeap: SendableMetatype {
  /// Whether this configuration of memlab has a second witness: the portable one has none.
  static var isPart: Bool { get }
  /// The Swift that memlab was compiled by, the runtime that it runs on, and what reading the heap
  /// depends on, in a configuration that does.
  static var diagnoses: [Diagnosis] { get }
  /// Checks every row of the table that the heap is read by.
  static func checkTable() -> RuntimeTableReport

  /// Makes a witness that has proved itself in this process. The self-check runs its own tasks, so a
  /// scheduler has no part in it.
  ///
  /// - Throws: ``HeapUnreadable`` when the heap is not recorded in this build, or when what was
  ///   planted is not read back exactly.
  static func witness() throws(HeapUnreadable) -> any HeapWitness
}

/// The heap cannot be read in this process; the ledger's counts stand alone.
package struct HeapUnreadable: Error, CustomStringConvertible {
  /// Why, a clause.
  let reason: String

  /// A heap that cannot be read for this reason, a clause.
  package init(reason: String) { self.reason = reason }

  /// A sentence without its full stop.
  package var description: String { "the heap was not read: \(reason)" }
}

/// The two witnesses do not say the same, so neither can be believed.
struct Disagreement: Error, CustomStringConvertible {
  /// What they disagree about, a sentence for each count.
  let sentences: [String]

  var description: String { "the witnesses disagree: " + sentences.joined(separator: "; ") }

  /// Every count on which ledger and heap differ, as a sentence with both numbers.
  ///
  /// - Parameters:
  ///   - totals: what the ledger counts.
  ///   - heap: what the heap has.
  ///   - uncounted: how many tasks are declared to be alive that nobody counts.
  ///   - isOver: whether the steps are over. Before, tasks may be alive that nobody counts because
  ///     they end with one that is counted: the children of `async let`.
  static func all(
    between totals: Totals, and heap: HeapReport, uncounted: Int = 0, isOver: Bool = true
  ) -> [String] {
    var sentences = totals.objects.compactMap { count -> String? in
      let seen = heap.alive[count.type, default: 0]
      guard seen != count.alive else { return nil }
      return "the ledger counts \(count.alive) \(count.type) alive, the heap has \(seen)"
    }
    if isOver ? totals.liveTasks + uncounted != heap.liveTasks : totals.liveTasks > heap.liveTasks {
      let declared = uncounted == 0 ? "" : " and \(uncounted) of libraries are declared"
      sentences.append(
        "the ledger counts \(totals.liveTasks) live tasks\(declared), the heap has "
          + "\(heap.liveTasks)" + advice(heap.liveTasks - totals.liveTasks, isOver: isOver))
    }
    return sentences
  }

  // A task that was never named is either the author's own or a library's.
  private static func advice(_ more: Int, isOver: Bool) -> String {
    guard isOver, more > 0 else { return "" }
    return " (name the others with Task(probe:); if a library has started them, say "
      + ".leaving(libraryTasks: \(more)))"
  }

  /// Every object that something holds that was not found, as a sentence with both numbers.
  ///
  /// A picture without an arrow for it would be wrong.
  static func unaccounted(in map: HolderMap) -> [String] {
    map.places.compactMap { place in
      guard let account = place.account, !account.isBalanced else { return nil }
      let found = counted(account.referencesFound, "strong reference")
      let roots = counted(account.namedRoots, "named variable")
      return "\(TypeName.short(place.node.name)) has a retain count of "
        + "\(account.retainCount ?? 0), but \(found) and \(roots) were found to hold it"
        + (account.uncounted > 0 ? " (declare a local variable that holds it as @Variable)" : "")
    }
  }
}

/// How much a trial's report says of the heap.
package enum HeapDetail: Sendable {
  /// What is alive and who holds it: all that a scenario declares.
  case holders
  /// Also every reference on the way, where in the code each task waits, and what a leak costs:
  /// naming functions takes longer than all the rest.
  case everything
}

/// What the second witness read from the heap at the end of a trial.
package struct HeapReport: Codable, Sendable {
  /// How many instances are alive, by type; types without any are left out.
  package let alive: [String: Int]
  /// How many tasks have not finished.
  package let liveTasks: Int
  /// Why each survivor is alive, in the order of the report's objects.
  package internal(set) var paths: [RetainChain]
  /// The tasks that have not finished, and where each waits, in the order of the report's tasks.
  package private(set) var tasks: [HeapWaiter]
  /// How many groups of objects hold each other and are held by nothing else.
  package let cycles: Int
  /// How many blocks would be freed if the survivors and the unfinished tasks were; nil where only
  /// the holders were asked for.
  package let leakedBlocks: Int?
  /// The size of those blocks, in bytes.
  package let leakedBytes: Int?

  /// What was read from a heap.
  package init(
    alive: [String: Int], liveTasks: Int, paths: [RetainChain], tasks: [HeapWaiter], cycles: Int,
    leakedBlocks: Int?, leakedBytes: Int?
  ) {
    (self.alive, self.liveTasks, self.paths, self.tasks) = (alive, liveTasks, paths, tasks)
    (self.cycles, self.leakedBlocks, self.leakedBytes) = (cycles, leakedBlocks, leakedBytes)
  }

  /// The same with the paths in the order of these types and the tasks in that of these names.
  func ordered(by types: [String], tasks names: [String]) -> HeapReport {
    changed(self) {
      $0.paths = types.flatMap { type in paths.filter { $0.type == type } }
      $0.tasks = names.flatMap { name in tasks.filter { $0.name == name } }
    }
  }
}

/// A task that has not finished, as the heap shows it.
package struct HeapWaiter: Codable, Sendable, Hashable {
  /// The task's name.
  package let name: String
  /// Whether it was cancelled.
  package let isCancelled: Bool
  /// What it waits for, such as `AsyncThrowingStream.Iterator.next()`.
  package let suspendedIn: String?
  /// Where in the code under study it waits, the innermost function first.
  package let frames: [HeapFrame]

  /// A task that waits, in the words of ``suspendedIn`` and ``frames``.
  package init(name: String, isCancelled: Bool, suspendedIn: String?, frames: [HeapFrame]) {
    (self.name, self.isCancelled, self.suspendedIn) = (name, isCancelled, suspendedIn)
    self.frames = frames
  }
}
