import CMemlabProcess
import CMemlabRecorder
import Glibc
package import MemlabHeapModel
import MemlabRuntimeABI

extension HeapSurroundings {
  /// What was begun since a moment, may still run, and is no task.
  ///
  /// The search goes forwards from whatever calls code: libdispatch's queues and timers, the tables
  /// of event loops, the threads. Where nothing is found, no code that was begun since is going on or
  /// will go on by itself. What is older is not asked about, but for threads that run just now.
  ///
  /// - Parameters:
  ///   - begin: the moment.
  ///   - time: how soon a timer of an event loop must fire to count.
  /// - Returns: one thing; nil when there is none.
  package func workPending(since begin: HeapMoment, firingWithin time: Duration) -> PendingWork? {
    if survey.hasBlockToCall(since: begin.serial) { return .block }
    if let watched = EventLoopTables().workPending(within: time) { return watched }
    let threads = ThreadStacks(searching: [], in: survey)
    return threads.atWork { $0.hasBegun(since: begin) }.map { .thread($0.name) }
  }
}

extension HeapSnapshot {
  /// The unfinished tasks that were created since a moment, in order of creation; without those of
  /// the library that runs tests. To be asked while the heap is read.
  ///
  /// - Parameters:
  ///   - begin: the moment.
  ///   - strangers: where tasks are that do not count, nor their children.
  package func tasks(since begin: HeapMoment, besides strangers: Set<UInt>) -> [HeapTask] {
    let bystanders = survey.bystanders(olderThan: begin.serial, and: strangers)
    let addresses = Set(bystanders.compactMap { survey.tasks[$0]?.address })
    let young = survey.tasks.filter { !$1.isFinished && !bystanders.contains($0) }.values
    let children = survey.children.filter { !$0.isFinished && !addresses.contains($0.parent) }
    return (young + children).sorted { $0.id < $1.id }
  }
}

extension Survey {
  // A block that was copied to be called later begins with the address of its class.
  fileprivate func hasBlockToCall(since serial: UInt64) -> Bool {
    guard let blockClass = loaded_symbol("_NSConcreteMallocBlock") else { return false }
    var seen = Set<Int>()
    var queue: [Int] = []
    func add(_ block: Int, _ place: UInt) {
      if kinds[block] == .memory, seen.insert(block).inserted { queue.append(block) }
    }
    for segment in segments.all where segment.is_writable == 1 && segment.isOfQueues {
      blocks.forEachReference(in: segment.region, add)
    }
    while let block = queue.popLast() {
      let region = blocks.region(block)
      let isCall =
        region.count >= 16 && region.word(at: region.start) == UInt(bitPattern: blockClass)
      if isCall, blocks.serial(block) >= serial { return true }
      blocks.forEachReference(in: region, add)
    }
    return false
  }
}

extension loaded_segment {
  fileprivate var isOfQueues: Bool { name.hasPrefix(abi.libraries.dispatch) }
}

extension ProcessThread {
  // "35 (name) S 1 …": the twentieth field behind the name. Its clock counts whole hundredths.
  fileprivate func hasBegun(since begin: HeapMoment) -> Bool {
    let text = ProcessFiles.text("/proc/self/task/\(id)/stat")
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 19, let ticks = Int(fields[19]) else { return true }
    return ticks >= begin.ticks
  }
}
