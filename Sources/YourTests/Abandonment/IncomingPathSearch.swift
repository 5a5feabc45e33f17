import CMemlabProcess
import Dispatch
import MemlabHeapModel
import MemlabHeapReader
import MemlabRuntimeABI

/// Looks for a way to some blocks that begins outside of them.
struct IncomingPathSearch {
  private let survey: Survey
  private let start: Set<Int>
  private let waiting: Set<Int>
  private let observers: [Int: Int]
  private let lost: Set<UInt64>
  private let blocked: [BlockedThread]
  private let ground: Ground

  /// What is the same for every search through one heap. To read it takes a look through all of it.
  struct Ground {
    /// Timers that will not fire while somebody waits for the answer.
    let late: LateTimers
    fileprivate var holders: IncomingReferences
    fileprivate let globals: Set<Int>
    fileprivate let inner: InnerPointers
    private var knowsMemoryOfTasks = false

    /// That of a survey, whose memory must be held.
    ///
    /// - Parameter wait: how long somebody waits at most; nil for any time.
    init(_ survey: Survey, within wait: Duration?) {
      globals = survey.blocksInGlobals
      inner = InnerPointers(survey)
      late = LateTimers(after: wait, survey)
      holders = IncomingReferences(survey: survey, besides: globals)
    }

    /// What was found to own a block.
    func owners(of block: Int, in survey: Survey) -> [Int] {
      holders[block].filter { holder in
        survey.edges.edges(of: holder).contains {
          survey.edges.target($0) == block && survey.edges.kind($0) != .stale
        }
      }
    }

    /// Whether a late timer is what resumes a sleeping task.
    func sleepsLong(_ task: Int, in survey: Survey) -> Bool {
      guard !late.tasks.isEmpty, survey.tasks[task]?.isSleeping == true else { return false }
      return nearestHolders(of: task).contains(where: late.tasks.contains)
    }

    /// The tasks that are to end the sleep of another.
    func alarms(of task: Int, in survey: Survey) -> [Int] {
      nearestHolders(of: task).filter { survey.tasks[$0]?.isAlarm == true }
    }

    // What it is to be resumed with is in memory of its own, which the closure of another task knows.
    private func nearestHolders(of task: Int) -> [Int] {
      (0..<3).reduce([task]) { known, _ in known + known.flatMap { holders[$0] } }
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
  ///   - waiting: the blocks of the tasks that wait for the answer.
  ///   - observers: the observer's own weak references, by the address of their object.
  ///   - lost: the recorder's numbers of blocks that nothing could reach before. They are no way.
  ///   - blocked: threads that are a way only if something leads to what can wake them.
  init(
    survey: Survey, ground: Ground, start: Set<Int>, waiting: Set<Int>, observers: [UInt: Int],
    lost: Set<UInt64>, blocked: [BlockedThread]
  ) {
    (self.survey, self.ground, self.start, self.waiting) = (survey, ground, start, waiting)
    (self.lost, self.blocked) = (lost, blocked)
    self.observers = Dictionary(
      observers.compactMap { address, count in survey.block(at: address).map { ($0, count) } },
      uniquingKeysWith: +)
  }

  /// The blocks, and those that lead to them; the threads that know some of these and that nothing else can
  /// wake; whether not even the task that waits leads to them. Nil when there is a way, or may be one.
  func blocksWithoutIncomingPath() -> (blocks: Set<Int>, threads: Set<Int>, isForGood: Bool)? {
    var (seen, threads, isForGood) = (start, Set<Int>(), true)
    func isWay(_ holder: Int) -> Bool {
      if waiting.contains(holder) { isForGood = false }
      return !waiting.contains(holder) && !lost.contains(survey.blocks.serial(holder))
    }
    var queue = Array(start)
    var unheld = Set<Int>()
    while !queue.isEmpty {
      while let block = queue.popLast() {
        if isHeldFromOutside(block) { return nil }
        let isStale = ground.late.calls.contains(block)
        let waiters = isStale ? [] : blocked.filter { $0.slots[block] != nil }
        threads.formUnion(waiters.map(\.id))
        queue += waiters.map(\.block).filter { seen.insert($0).inserted }
        let isUnheld = waiters.isEmpty && ground.holders[block].isEmpty
        if isUnheld, survey.kinds[block] == .memory { unheld.insert(block) }
        queue += ground.holders[block].filter { holder in
          !isSpentCall(holder, of: block) && isWay(holder) && !ground.late.isList(holder, of: block)
            && !isNoteOfTestLibrary(holder, of: block) && seen.insert(holder).inserted
        }
      }
      if ground.inner.standInGlobals(seen) { return nil }
      queue = ground.inner.holders(of: seen).subtracting(seen).filter(isWay)
      seen.formUnion(queue)
    }
    // Memory whose beginning is the allocator's, or a header, is known by what follows only.
    guard unheld.isEmpty || ground.inner.reachAll(of: unheld) else { return nil }
    return (seen, threads, isForGood)
  }

  // libdispatch keeps the memory of earlier calls, to use it again. A call that would run the task is
  // over: if it were still to be made, the task would be enqueued. So is one of a job that has gone, in
  // whose place there is something else by now.
  private func isSpentCall(_ block: Int, of job: Int) -> Bool {
    guard survey.kinds[block] == .memory, survey.blocks.size(block) == abi.dispatch.size else {
      return false
    }
    switch survey.kinds[job] {
    case .task where start.contains(job): break
    case .context, .buffer, .taskSlab, .error: break
    default: return false
    }
    let call = survey.blocks.region(block)
    guard let function = call.word(at: call.start + abi.dispatch.function) else { return false }
    return survey.segments.segment(at: function)?.isOfConcurrency == true
      && call.word(at: call.start + abi.dispatch.argument) == survey.blocks.address(job)
  }

  // Of every error the library that runs tests notes where it was thrown, beside a weak reference to it.
  private func isNoteOfTestLibrary(_ holder: Int, of block: Int) -> Bool {
    let type = Int(survey.kinds.type(of: holder))
    return survey.kinds[block] == .sideTable && type >= 0 && ground.holders.isOfTestLibrary[type]
  }

  private func isHeldFromOutside(_ block: Int) -> Bool {
    if ground.late.timers.contains(block) || ground.late.tasks.contains(block) { return false }
    guard !ground.globals.contains(block) else { return true }
    switch survey.kinds[block] {
    case .task where survey.tasks[block]?.isFinished == false:
      return !start.contains(block) && !ground.sleepsLong(block, in: survey)
    case .instance, .buffer, .context, .error, .task:
      let others = blocked.reduce(survey.repeats[block, default: 0]) {
        $0 + $1.slots[block, default: 0]
      }
      return survey.check.leavesRoom(for: block, beside: others)
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

/// Timers of libdispatch's that fire once, and later than somebody waits: those of `asyncAfter` and of
/// `Task.sleep`.
///
/// A timer has the time from which on it fires, the latest one, and an interval, which is the largest number
/// where it fires once. From `struct dispatch_timer_source_s` in
/// <https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/src/event/event_internal.h>.
struct LateTimers {
  /// What libdispatch knows of each.
  private(set) var timers: Set<Int> = []
  /// What each is to call. Threads keep the addresses of earlier calls, in whose memory these may be.
  private(set) var calls: Set<Int> = []
  /// The tasks that they enqueue.
  private(set) var tasks: Set<Int> = []
  private var lists: Set<Int> = []

  /// Looks for those of a survey, whose memory must be held.
  ///
  /// - Parameter wait: how long somebody waits at most; nil where that is not known, and no timer is late.
  init(after wait: Duration?, _ survey: Survey) {
    guard let wait, RuntimeTrust.knows(.dispatchBlocks) else { return }
    let blocks = survey.blocks
    func memory(in region: Region) -> [Int] {
      blocks.references(in: region).map(\.target).filter { survey.kinds[$0] == .memory }
    }
    let segments = survey.segments.all.filter { $0.is_writable == 1 && $0.isDispatch }
    lists = Set(segments.flatMap { memory(in: $0.region) })
    // Hundredths, and what is left of the last one.
    let now = UInt(HeapMoment().ticks + 1) * 10_000_000
    let start = now + UInt(min(max(wait / .nanoseconds(1), 0), 1e18))
    for timer in lists.union(lists.flatMap { memory(in: blocks.region($0)) })
    where survey.isTimer(timer, firingOnceAfter: start) {
      timers.insert(timer)
      let parts = memory(in: blocks.region(timer))
      calls.formUnion(parts.filter { blocks.size($0) == abi.dispatch.size })
    }
    let arguments = calls.compactMap {
      blocks.region($0).word(at: blocks.address($0) + abi.dispatch.argument)
    }
    tasks = survey.blocks(at: arguments).filter { survey.kinds[$0] == .task }
  }

  /// Whether a block is a list of libdispatch's that a late timer stands in.
  func isList(_ holder: Int, of block: Int) -> Bool {
    lists.contains(holder) && timers.contains(block)
  }
}

/// Blocks that can be cancelled, as those of a `DispatchWorkItem`. A timer keeps one that was until it
/// fires, and does nothing then.
enum WorkItem {
  private typealias Test = @convention(c) (UInt) -> Int
  private static let test = CFunction.named("dispatch_block_testcancel", as: Test.self)

  // Behind the address of its class and its flags stands a block's function. All work items have the
  // same one, which is not exported; the item keeps its block behind its own header.
  private static let function = withExtendedLifetime(DispatchWorkItem {}) { item in
    MemoryCopy.pair(at: UInt(bitPattern: Unmanaged.passUnretained(item).toOpaque()) + 16)
      .flatMap { MemoryCopy.pair(at: $0.first &+ 16)?.first }
  }

  /// Whether a block is one that was cancelled.
  static func isCancelled(_ block: Region) -> Bool {
    guard let function, block.word(at: block.start + 16) == function else { return false }
    return test.map { $0(block.start) != 0 } ?? false
  }
}

/// Which blocks refer to a block, in any way at all.
///
/// A task's references are those that the survey found. Of every other block all words count, so
/// that weak, unowned and unmanaged references are among them.
struct IncomingReferences {
  // By type: the classes of the library that runs tests, and the buffers of collections of its values.
  fileprivate let isOfTestLibrary: [Bool]
  private var references: BackReferences
  private var kept: KeptCalls?

  /// Looks through all blocks of a survey, whose memory must be held.
  ///
  /// - Parameter globals: the blocks that global variables refer to.
  init(survey: Survey, besides globals: Set<Int>) {
    references = BackReferences(count: survey.blocks.count)
    isOfTestLibrary = survey.layouts.map { layout in
      let (name, prefix) = (layout.name, abi.testing.typePrefix)
      guard name.hasPrefix("Swift._") else { return name.hasPrefix(prefix) }
      let isOfItsValues = name.drop { $0 != "<" }.dropFirst().hasPrefix(prefix)
      return isOfItsValues || name.firstRange(of: abi.testing.graph) != nil
    }
    // Each time that a survey is asked for them, they are retained.
    let (blocks, kinds, types) = (survey.blocks, survey.kinds, survey.types)
    blocks.forEachBlock { block, region in
      let type = kinds.type(of: block)
      switch kinds[block] {
      case .task:
        addEdges(of: block, survey)
        if survey.tasks[block]?.isFinished == false { addNextWaiter(after: block, blocks) }
      case .taskSlab: addEdges(of: block, survey)
      case .memory where survey.leftovers.contains(block): break
      case .sideTable where survey.isOfGoneObject(block): break
      case _ where type >= 0 && isOfTestLibrary[Int(type)]:
        addWords(of: block, in: region, survey)
      default:
        types.forEachStretchInUse(of: region, type, blocks) {
          references.addWords(of: block, in: $0, among: blocks)
        }
      }
    }
    guard RuntimeTrust.knows(.dispatchBlocks) else { return }
    kept = KeptCalls(among: survey.blocks) { [references] in
      references.isHeld($0) || globals.contains($0)
    }
  }

  /// The blocks that refer to a block, one for each reference.
  subscript(block: Int) -> [Int] { references[block].filter { kept?.contains($0) != true } }

  /// Adds what refers to the memory of some tasks, and not to its beginning: `Task.sleep` keeps in
  /// its frame what a timer's task writes to.
  mutating func addPointersInto(_ tasks: [Int], _ survey: Survey) {
    guard !tasks.isEmpty else { return }
    var owners: [Int: Int] = [:]
    for task in tasks { for part in [task] + survey.edges.slabs(of: task) { owners[part] = task } }
    let (parts, kinds) = (MarkedBlocks(Array(owners.keys), among: survey.blocks), survey.kinds)
    survey.blocks.forEachBlock { source, region in
      // What a finished task has left in its memory means nothing.
      let kind = kinds[source]
      if kind == .taskSlab || kind == .task && survey.tasks[source]?.isFinished == true { return }
      for task in parts.pointed(from: region).sorted().compactMap({ owners[$0] })
      where task != owners[source] { references.add(source, holds: task) }
    }
  }

  private mutating func addEdges(of block: Int, _ survey: Survey) {
    // Those that are crossed out too: some are leftovers, but nothing tells which. And who waits for
    // a task refers to it without owning it.
    for edge in survey.edges.edges(of: block) where !survey.isLeftoverOfTestLibrary(edge) {
      references.add(block, holds: survey.edges.target(edge))
    }
  }

  // Of the tasks that wait for one task, that one knows the latest, and each the one before it.
  private mutating func addNextWaiter(after task: Int, _ blocks: BlockList) {
    let (region, next) = (blocks.region(task), blocks.address(task) + abi.task.nextWaiter)
    references.addWords(of: task, in: region.part(from: next, to: next + 8), among: blocks)
  }

  // Of what the library that runs tests has. Addresses that own nothing are keys of its caches.
  private mutating func addWords(of block: Int, in region: Region, _ survey: Survey) {
    // Any other word may be what was there before an enumeration's case without a value.
    lazy var targets = Set(
      survey.edges.edges(of: block).filter { !survey.edges.isStale($0) }.map(survey.edges.target))
    survey.types.forEachStretchInUse(of: region, survey.kinds.type(of: block), survey.blocks) {
      survey.blocks.forEachReference(in: $0) { target, _ in
        let kind = survey.kinds[target]
        if !kind.isCounted || kind == .task || targets.contains(target) {
          references.add(block, holds: target)
        }
      }
    }
  }
}

extension Survey {
  // A date is later than any time since the machine was started, and is not compared.
  fileprivate func isTimer(_ block: Int, firingOnceAfter start: UInt) -> Bool {
    let region = blocks.region(block)
    guard segments.isDispatch(region.word(at: region.start)) else { return false }
    var words: [UInt] = []
    region.forEachWord(from: region.start, to: region.end) { words.append($1) }
    return zip(words, zip(words.dropFirst(), words.dropFirst(2))).contains { target, rest in
      target > start && target <= rest.0 && rest.0 < Self.firstDate && rest.1 == .max
    }
  }

  // In nanoseconds: the year 2001, and no machine runs for so long.
  private static let firstDate: UInt = 1_000_000_000_000_000_000

  // More than the survey's roots: an address that a C library was told, or a continuation, is in no
  // count, so that one too many is no proof that it means nothing.
  fileprivate var blocksInGlobals: Set<Int> {
    var found = Set<Int>()
    for segment in segments.all where segment.is_writable == 1 && !segment.isCore {
      blocks.forEachReference(in: segment.region) { block, _ in found.insert(block) }
    }
    return found
  }

  // What such a library hands to a test it retains, and of what is retained by more than was found,
  // the count tells. A task's continuation owns nothing.
  fileprivate func isLeftoverOfTestLibrary(_ edge: Int) -> Bool {
    let target = edges.target(edge)
    guard edges.kind(edge) == .stale, kinds[target].isCounted, kinds[target] != .task,
      let code = edges.code[edge]
    else { return false }
    return segments.isOfTestLibrary(code)
  }

  // Weak references keep the table when its object is gone, and with it the address, where another
  // object may be by now. An object that lives points back.
  fileprivate func isOfGoneObject(_ table: Int) -> Bool {
    let region = blocks.region(table)
    let object = region.word(at: region.start + abi.sideTable.object).flatMap(blocks.region)
    return object.map { ReferenceCounts(blocks: blocks).sideTable(of: $0) } != region.start
  }
}
