import CMemlabProcess
import MemlabHeapModel
import MemlabHeapReader
import MemlabRuntimeABI

/// Looks for a way to some blocks that begins outside of them.
struct IncomingPathSearch {
  private let survey: Survey
  private let start: Set<Int>
  private let waiting: Int
  private let observers: [Int: Int]
  private let ground: Ground

  /// What is the same for every search through one heap. To read it takes a look through all of it.
  struct Ground {
    fileprivate var holders: IncomingReferences
    fileprivate let globals: Set<Int>
    private var knowsMemoryOfTasks = false

    /// That of a survey, whose memory must be held.
    init(_ survey: Survey) {
      holders = IncomingReferences(survey: survey)
      globals = survey.blocksInGlobals
    }

    /// Adds what refers to the memory of unfinished tasks, and not to its beginning.
    mutating func noteMemoryOfTasks(_ survey: Survey) {
      guard !knowsMemoryOfTasks else { return }
      knowsMemoryOfTasks = true
      holders.addPointersInto(survey.tasks.filter { !$1.isFinished }.map(\.key), survey)
    }
  }

  /// A search that goes backwards from some blocks.
  ///
  /// - Parameters:
  ///   - waiting: the block of the task that waits for the answer, -1 if there is none.
  ///   - observers: the observer's own weak references, by the address of their object.
  init(survey: Survey, ground: Ground, start: Set<Int>, waiting: Int, observers: [UInt: Int]) {
    self.survey = survey
    self.ground = ground
    self.start = start
    self.waiting = waiting
    self.observers = Dictionary(
      observers.compactMap { address, count in survey.block(at: address).map { ($0, count) } },
      uniquingKeysWith: +)
  }

  /// The blocks, and those that lead to them; nil when there is a way, or may be one.
  func blocksWithoutIncomingPath() -> Set<Int>? {
    var seen = start
    var queue = Array(start)
    var unheld = Set<Int>()
    while !queue.isEmpty {
      while let block = queue.popLast() {
        if isHeldFromOutside(block) { return nil }
        if survey.kinds[block] == .memory, ground.holders[block].isEmpty { unheld.insert(block) }
        for holder in ground.holders[block]
        where holder != waiting && !isSpentCall(holder, of: block) {
          if seen.insert(holder).inserted { queue.append(holder) }
        }
      }
      // Asked last, because it takes another look through the whole heap.
      let inner = InnerPointers(into: seen, survey)
      if inner.standInGlobals() { return nil }
      queue = inner.holders().subtracting(seen).filter { $0 != waiting }
      seen.formUnion(queue)
    }
    // Memory whose beginning is the allocator's, or a header, is known by what follows only.
    return unheld.isEmpty || InnerPointers(into: unheld, survey).reachAll() ? seen : nil
  }

  // libdispatch keeps the memory of earlier calls, to use it again. A call that would run the task is
  // over: if it were still to be made, the task would be enqueued.
  private func isSpentCall(_ block: Int, of task: Int) -> Bool {
    guard survey.kinds[block] == .memory, survey.blocks.size(block) == abi.dispatch.size,
      survey.kinds[task] == .task, start.contains(task)
    else { return false }
    let call = survey.blocks.region(block)
    guard let function = call.word(at: call.start + abi.dispatch.function) else { return false }
    return survey.segments.segment(at: function)?.isOfConcurrency == true
      && call.word(at: call.start + abi.dispatch.argument) == survey.blocks.address(task)
  }

  private func isHeldFromOutside(_ block: Int) -> Bool {
    guard !ground.globals.contains(block) else { return true }
    switch survey.kinds[block] {
    case .task where survey.tasks[block]?.isFinished == false: return !start.contains(block)
    case .instance, .buffer, .context, .error, .task:
      return survey.check.leavesRoom(for: block, beside: survey.repeats[block, default: 0])
    case .taskSlab: return ground.holders[block].isEmpty
    case .memory: return false
    case .sideTable: return hasUnknownObserver(block)
    case .metadata: return true
    }
  }

  // The count of weak references is one more than there are; the object itself is the last.
  private func hasUnknownObserver(_ table: Int) -> Bool {
    let region = survey.blocks.region(table)
    guard let address = region.word(at: region.start + abi.sideTable.object),
      let count = region.uint32(at: region.start + abi.sideTable.weakCount)
    else { return true }
    let object = survey.blocks.index(of: address)
    return Int(count) - 1 > ground.holders[table].count + observers[object, default: 0]
  }
}

extension Survey {
  // More than the survey's roots: an address that a C library was told, or a continuation, is in no
  // count, so that one too many is no proof that it means nothing.
  fileprivate var blocksInGlobals: Set<Int> {
    var found = Set<Int>()
    for segment in segments.all where segment.is_writable == 1 && !segment.isCore {
      blocks.forEachReference(in: segment.region) { block, _ in
        found.insert(block)
      }
    }
    return found
  }
}

extension loaded_segment {
  /// Whether it is code of the library that runs tasks.
  fileprivate var isOfConcurrency: Bool {
    is_executable == 1 && String(cString: path).contains(abi.libraries.concurrency)
  }
}
