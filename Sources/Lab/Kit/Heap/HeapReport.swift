package import MemlabHeapModel
import MemlabHeapReader

/// How much a trial's report says of the heap.
package enum HeapDetail: Sendable {
  /// What is alive and who holds it: all that a scenario declares.
  case holders
  /// Also every reference on the way, where in the code each task waits, and what a leak costs:
  /// naming functions takes longer than all the rest.
  case everything
}

#if !MEMLAB_PORTABLE
  extension HeapSnapshot {
    /// What a report says of this snapshot.
    ///
    /// - Parameters:
    ///   - names: qualified names of the classes to report on.
    ///   - detail: how much is to be found out.
    func report(on names: [String], detail: HeapDetail) -> HeapReport {
      let isFull = detail == .everything
      let unfinished = tasks.filter { !$0.isFinished && !$0.isAlarm }
      let backtraces = isFull ? Self.backtraces(of: unfinished) : [:]
      let instances = liveInstances
      let alive = names.filter { instances[$0] != nil }
      let leak =
        isFull ? cost(of: Set(alive), tasks: Set(unfinished.compactMap(\.name))) : nil
      return HeapReport(
        alive: Dictionary(
          alive.map { (TypeName.short($0), instances[$0, default: 0]) }, uniquingKeysWith: +),
        liveTasks: unfinished.count,
        paths: retainChains(to: Set(alive), namingFunctions: isFull).map {
          changed($0) { chain in
            if !isFull { chain.links = [] }
            chain = chain.asWritten(hiding: \.isGlue).named
            let trace = chain.root.task.flatMap { backtraces[$0.id] }
            chain.root.suspendedIn = trace?.suspendedIn
            chain.root.frames = trace?.framesUnderStudy ?? []
          }
        },
        tasks: unfinished.map { task in
          HeapWaiter(
            name: task.name ?? "without a name", isCancelled: task.isCancelled,
            suspendedIn: backtraces[task.id]?.suspendedIn,
            frames: backtraces[task.id]?.framesUnderStudy ?? [])
        },
        cycles: cycleCount, leakedBlocks: leak?.blocks, leakedBytes: leak?.bytes)
    }

    /// Everything that holds the live objects of these classes.
    func holders(of names: [String]) -> HolderMap {
      holderMap(of: Set(names), hiding: \.isGlue)
    }

    // By the task's number: tasks of one name may wait at different places.
    private static func backtraces(of tasks: [HeapTask]) -> [UInt64: AsyncBacktrace] {
      Dictionary(
        tasks.compactMap { task in
          // memlab puts a closure of its own around each task's body, which says nothing of the pattern.
          guard task.name != nil, let pointer = task.pointer,
            let trace = AsyncBacktrace(ofTask: pointer, hiding: ["MemlabKit"])
          else { return nil }
          return (task.id, trace)
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  extension AsyncBacktrace {
    /// The functions of the code under study, innermost first.
    fileprivate var framesUnderStudy: [HeapFrame] {
      frames.filter { !$0.isLibrary }.map(HeapFrame.init)
    }
  }

  extension HeapNode {
    /// Whether this is a closure that nobody wrote: the one that `Task.init(probe:operation:)` puts
    /// around a task's body, or one that the compiler makes to fit a closure to its use. The optimiser
    /// decides whether these have contexts of their own.
    fileprivate var isGlue: Bool {
      isThunk || kind == .block(.context) && name == "closure #1 in Task.init()"
    }
  }
#endif

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
}
