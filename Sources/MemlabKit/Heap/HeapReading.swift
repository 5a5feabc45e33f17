import HeapGraph

/// Turns a snapshot of the heap into what a report says of it.
struct HeapReading {
  let snapshot: HeapSnapshot
  let names: [String]
  private let unfinished: [HeapTask]
  // By the task's number: tasks of one name may wait at different places.
  private let backtraces: [UInt64: AsyncBacktrace]

  private let detail: HeapDetail

  /// A reading of a snapshot, for classes of these names.
  init(_ snapshot: HeapSnapshot, of names: [String], detail: HeapDetail) {
    self.snapshot = snapshot
    self.names = names
    self.detail = detail
    unfinished = snapshot.tasks.filter {
      !$0.isFinished && !VirtualExecutors.queue.isAlarm($0.pointer)
    }
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
    let cost = detail == .everything ? cost(of: alive) : nil
    return HeapReport(
      alive: Dictionary(
        alive.map { (TypeName.short($0), instances[$0, default: 0]) }, uniquingKeysWith: +),
      liveTasks: unfinished.count,
      paths: snapshot.retainPaths(to: Set(alive), namingFunctions: detail == .everything).map(path),
      tasks: unfinished.map(waiter),
      cycles: snapshot.cycleCount,
      leakedBlocks: cost?.blocks,
      leakedBytes: cost?.bytes)
  }

  private func cost(of alive: [String]) -> HeapCost {
    snapshot.cost(of: Set(alive), tasks: Set(unfinished.compactMap(\.name)))
  }

  private func waiter(_ task: HeapTask) -> HeapWaiter {
    let trace = backtraces[task.id]
    return HeapWaiter(
      name: task.name ?? "without a name", isCancelled: task.isCancelled,
      suspendedIn: trace?.suspendedIn, frames: trace?.framesUnderStudy ?? [])
  }

  private func path(_ path: RetainPath) -> HeapPath {
    HeapPath(
      type: TypeName.short(path.type),
      root: root(of: path),
      links: detail == .everything ? links(of: path) : [],
      heldBy: Holder(of: path).name,
      referencesFound: path.referencesFound,
      retainCount: path.retainCount)
  }

  private func root(of path: RetainPath) -> HeapRoot {
    let trace = path.task.flatMap { backtraces[$0.id] }
    return HeapRoot(
      kind: HeapRoot.Kind(rawValue: path.root.rawValue) ?? .unknown,
      name: path.start.readableName,
      suspendedIn: trace?.suspendedIn,
      frames: trace?.framesUnderStudy ?? [])
  }

  private func links(of path: RetainPath) -> [HeapLink] {
    path.stepsInSource(without: \.isGlue).map { step in
      HeapLink(
        kind: step.edge.kind.rawValue, name: step.edge.kind == .capture ? nil : step.edge.name,
        to: step.node.readableName,
        isObject: step.node.kind == .block(.instance))
    }
  }
}

extension AsyncBacktrace {
  /// The functions of the code under study, innermost first.
  fileprivate var framesUnderStudy: [HeapFrame] {
    frames.filter { !$0.isLibrary }.map {
      HeapFrame(function: $0.function, file: $0.file, line: $0.line)
    }
  }
}

extension HeapTask {
  // memlab's own closure around each task's body is nobody's business.
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

  /// Its short name; what a long type is generic over is left out.
  var readableName: String {
    switch kind {
    case .block(.instance), .block(.buffer), .block(.error): Self.readable(shortName)
    default: shortName
    }
  }

  // The type of a pipeline of operators names every one of them.
  private static func readable(_ type: String) -> String {
    type.count <= 40 ? type : TypeName.withoutArguments(type) + "<…>"
  }
}
