import HeapGraph

/// How much a trial's report says of the heap.
package enum HeapDetail: Sendable {
  /// What is alive and who holds it: all that a scenario declares.
  case holders
  /// Also every reference on the way, where in the code each task waits, and what a leak costs:
  /// naming functions takes longer than all the rest.
  case everything
}

/// Makes what a report says of the heap from a snapshot.
struct HeapReportBuilder {
  private let snapshot: HeapSnapshot
  private let names: [String]
  private let detail: HeapDetail
  private let unfinished: [HeapTask]
  // By the task's number: tasks of one name may wait at different places.
  private let backtraces: [UInt64: AsyncBacktrace]

  /// A builder for a snapshot.
  ///
  /// - Parameters:
  ///   - names: qualified names of the classes to report on.
  ///   - detail: how much is to be found out.
  init(_ snapshot: HeapSnapshot, of names: [String], detail: HeapDetail) {
    self.snapshot = snapshot
    self.names = names
    self.detail = detail
    unfinished = snapshot.tasks.filter { !$0.isFinished && !$0.isAlarm }
    backtraces = Dictionary(
      (detail == .everything ? unfinished : []).compactMap { task in
        guard task.name != nil, let trace = task.backtrace else { return nil }
        return (task.id, trace)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What the report says.
  var report: HeapReport {
    let instances = snapshot.liveInstances
    let alive = names.filter { instances[$0] != nil }
    let isFull = detail == .everything
    let cost =
      isFull
      ? snapshot.cost(of: Set(alive), tasks: Set(unfinished.compactMap(\.name))) : nil
    return HeapReport(
      alive: Dictionary(
        alive.map { (TypeName.short($0), instances[$0, default: 0]) }, uniquingKeysWith: +),
      liveTasks: unfinished.count,
      paths: snapshot.retainChains(to: Set(alive), namingFunctions: isFull).map(reported),
      tasks: unfinished.map(waiter),
      cycles: snapshot.cycleCount,
      leakedBlocks: cost?.blocks,
      leakedBytes: cost?.bytes)
  }

  /// Everything that holds the live objects.
  var map: HolderMap { snapshot.holderMap(of: Set(names), hiding: \.isGlue) }

  private func waiter(_ task: HeapTask) -> HeapWaiter {
    let trace = backtraces[task.id]
    return HeapWaiter(
      name: task.name ?? "without a name", isCancelled: task.isCancelled,
      suspendedIn: trace?.suspendedIn, frames: trace?.framesUnderStudy ?? [])
  }

  private func reported(_ chain: RetainChain) -> RetainChain {
    var chain = chain
    if detail == .holders { chain.links = [] }
    chain = chain.asWritten(hiding: \.isGlue).named
    let trace = chain.root.task.flatMap { backtraces[$0.id] }
    chain.root.suspendedIn = trace?.suspendedIn
    chain.root.frames = trace?.framesUnderStudy ?? []
    return chain
  }
}

extension AsyncBacktrace {
  /// The functions of the code under study, innermost first.
  fileprivate var framesUnderStudy: [HeapFrame] {
    frames.filter { !$0.isLibrary }.map(HeapFrame.init)
  }
}

extension HeapTask {
  // memlab puts a closure of its own around each task's body, which says nothing of the pattern.
  fileprivate var backtrace: AsyncBacktrace? {
    pointer.flatMap { AsyncBacktrace(ofTask: $0, hiding: ["MemlabKit"]) }
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
