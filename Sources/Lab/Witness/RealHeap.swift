package import MemlabHeapModel
import MemlabHeapReader
package import MemlabKit

/// The heap of this process, which memlab records and reads itself.
package struct RealHeap: HeapWitness, ProcessHeap {
  package let remark: String?

  package static var isPart: Bool { RuntimeFacts.readsHeap }

  package static func checkTable() -> RuntimeTableReport {
    do { return RuntimeTableReport(try RuntimeTableCheck()) } catch {
      return RuntimeTableReport(unchecked: "\(error)")
    }
  }

  package static func witness() throws(HeapUnreadable) -> any HeapWitness { try RealHeap() }

  package init() throws(HeapUnreadable) {
    let losses = try Self.reading { try HeapSelfCheck.run() }
    remark = losses.isEmpty ? nil : losses.joined(separator: "; ")
  }

  package func glance(
    _ types: [any AnyObject.Type], variables: [UInt: String]
  ) throws(HeapUnreadable) -> (report: HeapReport, map: HolderMap) {
    #if MEMLAB_PORTABLE
      throw HeapUnreadable(reason: "\(HeapError.unread)")
    #else
      return try Self.reading {
        try HeapRecording.withoutRecording {
          let snapshot = try HeapSnapshot.take(variables: variables)
          try agree(snapshot)
          let names = types.map { TypeName.qualified($0) }
          let report = snapshot.report(on: names, detail: .everything, withChains: false)
          return (report: report, map: snapshot.holders(of: names))
        }
      }
    #endif
  }

  package func read(
    _ types: [any AnyObject.Type], detail: HeapDetail
  ) throws(HeapUnreadable) -> HeapReport {
    #if MEMLAB_PORTABLE
      throw HeapUnreadable(reason: "\(HeapError.unread)")
    #else
      return try Self.reading {
        try HeapRecording.withoutRecording {
          let names = types.map { TypeName.qualified($0) }
          let snapshot = try HeapSnapshot.take(survivors: detail == .everything ? nil : Set(names))
          try agree(snapshot)
          return snapshot.report(on: names, detail: detail)
        }
      }
    #endif
  }

  // The runtime's own function: swift_task_cancel(AsyncTask *), see
  // https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/Concurrency.h.
  package func cancel(task name: String, number: Int) -> Bool {
    #if MEMLAB_PORTABLE
      return false
    #else
      typealias Cancel = @convention(c) (UnsafeRawPointer) -> Void
      let tasks =
        (try? HeapSnapshot.take())?.tasks.filter { !$0.isFinished && $0.name == name } ?? []
      guard let cancel = CFunction.named("swift_task_cancel", as: Cancel.self),
        tasks.count >= number, let task = tasks[number - 1].pointer
      else { return false }
      cancel(task)
      return true
    #endif
  }

  private static func reading<Result>(
    _ body: () throws -> Result
  ) throws(HeapUnreadable) -> Result {
    do { return try body() } catch { throw HeapUnreadable(reason: "\(error)") }
  }

  #if !MEMLAB_PORTABLE
    // Where the runtime lists its tasks itself, it is a third witness.
    private func agree(_ snapshot: HeapSnapshot) throws(HeapError) {
      if let fault = snapshot.survey.listingFault { throw HeapError.unknownRuntime(fault) }
    }
  #endif
}

#if !MEMLAB_PORTABLE
  extension HeapSnapshot {
    /// What a report says of this snapshot.
    ///
    /// - Parameters:
    ///   - names: qualified names of the classes to report on.
    ///   - detail: how much is to be found out.
    ///   - hasChains: whether that includes why objects are alive.
    func report(
      on names: [String], detail: HeapDetail, withChains hasChains: Bool = true
    ) -> HeapReport {
      let isFull = detail == .everything
      let unfinished = tasks.filter { !$0.isFinished && !$0.isAlarm }
      let backtraces = isFull ? Self.backtraces(of: unfinished) : [:]
      let instances = liveInstances
      let alive = names.filter { instances[$0] != nil }
      let leak = isFull ? cost(of: Set(alive), tasks: Set(unfinished.compactMap(\.name))) : nil
      return HeapReport(
        alive: Dictionary(
          alive.map { (TypeName.short($0), instances[$0, default: 0]) }, uniquingKeysWith: +),
        liveTasks: unfinished.count,
        paths: retainChains(to: Set(hasChains ? alive : []), namingFunctions: isFull).map {
          var chain = $0
          if !isFull { chain.links = [] }
          chain = chain.asWritten(hiding: \.isGlue).named
          let trace = chain.root.task.flatMap { backtraces[$0.id] }
          chain.root.suspendedIn = trace?.suspendedIn
          chain.root.frames = trace?.framesUnderStudy ?? []
          return chain
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
    func holders(of names: [String]) -> HolderMap { holderMap(of: Set(names), hiding: \.isGlue) }

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
