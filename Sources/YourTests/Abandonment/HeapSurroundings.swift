import CMemlabProcess
package import MemlabHeapModel
package import MemlabHeapReader
import MemlabRuntimeABI

/// What can be asked about a heap only while it is being read.
package final class HeapSurroundings {
  /// What was found.
  let survey: Survey
  /// What is the same for every search.
  lazy var ground = IncomingPathSearch.Ground(survey, within: wait)
  // Many checks ask in one look: what is the same for all of them is read once.
  private lazy var stacks = ThreadStacks(of: survey)
  private lazy var blocked = stacks.blockedThreads()
  /// The tests that tasks work for.
  lazy var tests = survey.testsOfTasks
  /// The values of a type that unfinished tasks have as task-local ones, by the address of its metadata.
  var locals: [UInt: [Int: [Int]]] = [:]
  /// What was asked of tasks, by their addresses.
  var answers: [KeyPath<HeapTask, Bool>: [UInt: Bool]] = [:]
  /// The recorder's numbers of blocks that nothing can reach any more, as looks before have found: what
  /// stands in their memory is not used.
  package var lost: Set<UInt64> = []
  /// The numbers of those that this look has found to be so.
  package var abandoned: Set<UInt64> = []
  /// Where objects are that earlier checks have reported and that live: each check has one weak reference,
  /// which is no way to them.
  package var reported: [UInt] = []
  /// How long somebody waits at most: a timer that fires once, and later, leads nowhere. To be set before
  /// anything is asked; nil for any time.
  package var wait: Duration?
  /// What leads to what was asked for last, and cannot be a way as long as somebody waits.
  package private(set) var spentWay: SpentWay?
  private var threads: ThreadsAtRest?
  /// Whether no other thread had run since before the heap was read when it was last said that nothing
  /// leads somewhere. No other look would tell more.
  package private(set) var isExact = false
  /// Whether no other thread has run since before the heap was read.
  package var isUndisturbed: Bool { threads != nil && threads == ThreadsAtRest() }
  // Who has run all the time once is not waited for again.
  private var hasBusyThreads = false
  private var yielding: Duration { hasBusyThreads ? .zero : ProcessThread.longestYielding }

  /// What can be asked about a survey's heap.
  ///
  /// - Parameter threads: what the other threads were before; nil when one of them ran.
  init(survey: Survey, since threads: ThreadsAtRest?) {
    (self.survey, self.threads) = (survey, threads)
  }

  /// Reads once more what memory refers to. What a thread was using when it was read may be back there
  /// by the time that the threads are asked, as a timer that has fired.
  package func readAgain() {
    ground = IncomingPathSearch.Ground(survey, within: wait)
    stacks = ThreadStacks(of: survey)
    blocked = stacks.blockedThreads()
  }

  /// Whether something that could still run has a way to some tasks and objects: another task, a
  /// global variable, a thread's stack, a timer, a table of the kernel's.
  ///
  /// To resume a task, code must get to its continuation, which is the task's address. So the
  /// search goes backwards from the tasks through everything that refers to them, weakly or
  /// not, and gives up when it meets something that is held from outside: a root, or an object
  /// with more strong references than were found. Doubt counts as a way in; what nothing leads to
  /// is lost for good. What a thread knows that runs while this is asked is unclear. The heap
  /// changes while it is read, so look twice.
  ///
  /// - Parameters:
  ///   - tasks: unfinished tasks, all suspended.
  ///   - objects: where some objects are.
  ///   - waiting: where the tasks are that wait for the answer.
  ///   - observers: how many weak references to an object are the observer's own, by its address.
  package func incomingPaths(
    to tasks: [HeapTask], objects: [UInt], waiting: [UInt], observers: [UInt: Int]
  ) -> IncomingPaths {
    spentWay = nil
    let blocks = tasks.compactMap(block) + objects.compactMap { survey.block(at: $0) }
    // What is not on the recorded heap cannot be looked for.
    guard blocks.count == tasks.count + objects.count else { return .found }
    if !tasks.isEmpty || !ground.late.tasks.isEmpty { ground.noteMemoryOfTasks(survey) }
    let search = IncomingPathSearch(
      survey: survey, ground: ground, start: Set(blocks), waiting: survey.blocks(at: waiting),
      observers: observers.merging(reported.map { ($0, 1) }, uniquingKeysWith: +), lost: lost,
      blocked: blocked)
    guard let (surroundings, asleep, isForGood) = search.blocksWithoutIncomingPath() else {
      return .found
    }
    let known = EventTables.words().map {
      survey.blocks.index(containing: $0 & abi.reference.addressBits)
    }
    guard !known.contains(where: surroundings.contains) else { return .found }
    let (ways, stopped) = stacks.incomingPaths(
      to: surroundings.subtracting(ground.late.calls), besides: asleep, givingWay: yielding)
    if threads != nil, !stopped.isEmpty { ProcessThread.letOthersComeToRest() }
    threads?.noteStop(of: stopped)
    isExact = isUndisturbed
    if ways == .unclear { hasBusyThreads = true }
    let hasLateTimer = !surroundings.isDisjoint(with: ground.late.timers)
    spentWay = hasLateTimer ? .lateTimer : asleep.isEmpty ? nil : .blockedThread
    // A thread may wait for this check only.
    if ways == .none, isForGood, spentWay == nil {
      abandoned.formUnion(surroundings.map(survey.blocks.serial))
    }
    return ways
  }

  // The task of an `async let` lies in its parent's memory.
  private func block(of task: HeapTask) -> Int? {
    let block = survey.blocks.index(containing: task.address)
    return block < 0 ? nil : block
  }

  /// Whether what resumes a sleeping task is a timer that fires later than somebody waits.
  package func sleepsLong(_ task: HeapTask) -> Bool {
    ground.noteMemoryOfTasks(survey)
    return block(of: task).map { ground.sleepsLong($0, in: survey) } ?? false
  }

  /// What was begun since a moment, may still run, and is no task.
  ///
  /// The search goes forwards from whatever calls code: libdispatch's queues and timers, the tables
  /// of event loops, the threads. Where nothing is found, no code that was begun since is going on or
  /// will go on by itself. What is older is not asked about, but for threads that run just now.
  ///
  /// - Parameters:
  ///   - begin: the moment; nil for whatever may run.
  ///   - others: what does not count.
  ///   - time: how soon a timer of an event loop must fire to count.
  /// - Returns: one thing; nil when there is none.
  package func workPending(
    since begin: HeapMoment?, besides others: OthersWork, firingWithin time: Duration
  ) -> PendingWork? {
    if survey.hasBlockToCall(since: begin, besides: others) { return .block }
    if let watched = EventTables.workPending(within: time) { return watched }
    let hasChild = ProcessFiles.children().contains { hasBegun("/proc/\($0)", since: begin) }
    if hasChild { return .process }
    // In the gaps of a stack are places of blocks in queues that have called them, which others may use by
    // now. The block that is being called is still there.
    let isOwnCall = { [survey] in
      survey.blocks.serial($0) >= begin?.serial ?? 0 && survey.isCall($0) && !others.includes($0)
    }
    let thread = stacks.atWork(
      givingWay: yielding, where: { hasBegun("/proc/self/task/\($0.id)", since: begin) },
      unless: { !$0.contains(where: isOwnCall) && others.isWork(ofThreadThatKnows: $0) })
    guard let thread else {
      // A thread that has just made a call may have put the next one there.
      return survey.hasBlockToCall(since: begin, besides: others) ? .block : nil
    }
    if !thread.isAtRest { hasBusyThreads = true }
    return .thread(thread.name)
  }

  /// The recorder's numbers of what owns some objects. Where these are others at the next look, something
  /// runs between the looks, such as a block that has itself called again.
  ///
  /// - Parameter addresses: where the objects are.
  package func owners(of addresses: [UInt]) -> Set<UInt64> {
    let owners = survey.blocks(at: addresses).flatMap { ground.owners(of: $0, in: survey) }
    return Set(owners.map(survey.blocks.serial))
  }

  // "35 (name) S 1 …": the twentieth field behind the name. Its clock counts whole hundredths.
  private func hasBegun(_ folder: String, since begin: HeapMoment?) -> Bool {
    guard let begin else { return true }
    let fields = ProcessFiles.text(folder + "/stat").split(separator: ")").last?.split(
      separator: " ")
    guard let fields, fields.count > 19, let ticks = Int(fields[19]) else { return true }
    return ticks >= begin.ticks
  }

  /// What leads to some objects, and not to others: the work of those who wait for these.
  ///
  /// - Parameters:
  ///   - objects: where the objects of other checks are.
  ///   - own: where the objects are that this is asked for.
  ///   - tasks: where the tasks of other checks are.
  package func work(
    leadingTo objects: [UInt], andNotTo own: [UInt], orOf tasks: Set<UInt>
  ) -> OthersWork {
    let tasks = survey.blocks(at: Array(tasks))
    return OthersWork(
      survey: survey, objects: survey.blocks(at: objects), own: survey.blocks(at: own),
      tasks: tasks.union(tasks.flatMap(survey.edges.slabs)), late: ground.late.timers)
  }

  /// Those of some objects that nothing leads to, no thread that runs included, so that they cannot go
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - addresses: where objects begin that are in rings of this heap.
  ///   - waiting: where the task is that waits for the answer.
  ///   - hasPatience: whether a later look may show more. Otherwise objects count, too, that something
  ///     leads to, or seems to, as long as only their ring owns them.
  /// - Returns: the objects, and whether there may be more: a thread was running.
  package func abandonedObjects(
    at addresses: [UInt], waiting: UInt, hasPatience: Bool
  ) -> (objects: [AnyObject], mayBeMore: Bool) {
    guard !addresses.isEmpty else { return ([], false) }
    let own = survey.membersOfUnownedRings
    let addresses = addresses.filter { survey.block(at: $0).map(own.contains) == true }
    guard !addresses.isEmpty else { return ([], false) }
    var (objects, mayBeMore): ([AnyObject], Bool) = ([], false)
    let parts = parts(of: addresses[...]) {
      incomingPaths(to: [], objects: Array($0), waiting: [waiting], observers: [:])
    }
    for (addresses, ways) in parts {
      switch ways {
      case .unclear: mayBeMore = true
      case .found where hasPatience: break
      case .none, .found: objects += addresses.compactMap(LiveObject.retained)
      }
    }
    return (objects, mayBeMore)
  }

  /// Asks what leads to some objects: to all of them together, and to each half where something does.
  ///
  /// Where nothing leads to them together, nothing leads to any of them. A test may leave thousands
  /// behind, and each question takes a look through the heap.
  package func parts<Object>(
    of objects: ArraySlice<Object>, _ ways: (ArraySlice<Object>) -> IncomingPaths
  ) -> [(objects: ArraySlice<Object>, ways: IncomingPaths)] {
    let answer = ways(objects)
    guard case .found = answer, objects.count > 1 else { return [(objects, answer)] }
    let half = objects.count / 2
    return parts(of: objects.prefix(half), ways) + parts(of: objects.dropFirst(half), ways)
  }
}

/// What will run for other checks, and does not delay this one: it leads to an object that another check
/// waits for, by the shortest of ways, and to none of this check's. All other work may be this check's.
package struct OthersWork {
  fileprivate let survey: Survey
  fileprivate let objects: Set<Int>
  fileprivate let own: Set<Int>
  // With their memory.
  fileprivate let tasks: Set<Int>
  // Timers that fire later than this check waits do not delay it, either.
  fileprivate let late: Set<Int>

  // A block for libdispatch has a closure's context, which may have a variable in a box of its own. To
  // an object of this check, which must not be passed over, a longer way counts.
  private static let (longestWay, longestOwnWay) = (3, 6)

  /// Whether a task is such work.
  package func includes(_ task: HeapTask) -> Bool {
    survey.block(at: task.address).map { includes($0) } ?? false
  }

  /// Whether a block that is called or that runs is such work.
  func includes(_ block: Int) -> Bool { isWork(ofThreadThatKnows: [block]) }

  /// Whether a thread does such work: it leads to another check's objects, or runs one of its tasks.
  func isWork(ofThreadThatKnows blocks: Set<Int>) -> Bool {
    let isOthers =
      !tasks.isDisjoint(with: blocks) || leads(from: blocks, to: objects, within: Self.longestWay)
    return isOthers && !leads(from: blocks, to: own, within: Self.longestOwnWay)
  }

  private func leads(from blocks: Set<Int>, to targets: Set<Int>, within length: Int) -> Bool {
    guard !targets.isEmpty else { return false }
    var (seen, next) = (blocks, Array(blocks))
    for _ in 0..<length where seen.isDisjoint(with: targets) {
      next = next.flatMap(self.targets).filter { seen.insert($0).inserted }
    }
    return !seen.isDisjoint(with: targets)
  }

  // By any word, so that weak references are among them: they lead by way of a table.
  private func targets(of block: Int) -> [Int] {
    if survey.kinds[block] == .task { return survey.edges.targets(of: block) }
    return words(of: block).flatMap { survey.kinds[$0] == .sideTable ? [$0] + words(of: $0) : [$0] }
  }

  private func words(of block: Int) -> [Int] {
    survey.blocks.references(in: survey.blocks.region(block)).map(\.target)
  }
}

extension HeapSnapshot {
  /// Where objects are of rings that have grown since a moment and that no root was found to lead to:
  /// of each group the oldest object of a class that the system's libraries do not have; of a ring of
  /// closures, one that it holds. To be asked while the heap is read.
  ///
  /// What only a running thread has looks like that, too, for a moment.
  ///
  /// - Parameters:
  ///   - begin: the moment.
  ///   - modules: the names of modules whose classes do not count.
  package func rings(since begin: HeapMoment, outside modules: Set<String>) -> [UInt] {
    survey.cyclesWithObjects.compactMap { ring in
      let own = ring.first { block in
        survey.blocks.serial(block) > begin.serial
          && survey.layout(of: block)?.isOfClass(outside: modules) == true
      }
      return own.map(survey.blocks.address)
    }
  }
}

extension Survey {
  /// The blocks that begin at some addresses.
  func blocks(at addresses: [UInt]) -> Set<Int> { Set(addresses.compactMap { block(at: $0) }) }

  // A block that was copied to be called later begins with the address of its class.
  private static let blockClass = CFunction.address("_NSConcreteMallocBlock")

  fileprivate func isCall(_ block: Int) -> Bool {
    let region = blocks.region(block)
    return kinds[block] == .memory && region.count >= 16
      && region.word(at: region.start) == Self.blockClass
  }

  fileprivate func hasBlockToCall(since begin: HeapMoment?, besides others: OthersWork) -> Bool {
    var (seen, queue) = (Set<Int>(), [Int]())
    func add(_ block: Int, _ place: UInt) {
      guard kinds[block] == .memory, !others.late.contains(block) else { return }
      if seen.insert(block).inserted { queue.append(block) }
    }
    for segment in segments.all where segment.is_writable == 1 && segment.isDispatch {
      blocks.forEachReference(in: segment.region, add)
    }
    while let block = queue.popLast() {
      let (region, isCall) = (blocks.region(block), isCall(block))
      let isSpent = isCall && (WorkItem.isCancelled(region) || isTimeoutOfRunLoop(region))
      if isSpent || isCall && others.includes(block) { continue }
      if isCall, blocks.serial(block) >= begin?.serial ?? 0 { return true }
      blocks.forEachReference(in: region, add)
    }
    return false
  }

  // A run loop that waits, as XCTest's does while a test runs, has a new timer each time, which only ends
  // that wait: https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/CoreFoundation/CFRunLoop.c
  private func isTimeoutOfRunLoop(_ block: Region) -> Bool {
    let function = block.word(at: block.start + 16).flatMap(Symbolizer.shared.name)
    return function?.hasPrefix("____CFRunLoopRun_block_invoke") == true
  }

  /// The objects in rings that only their rings own.
  ///
  /// An owner that was not found shows in the count. But a word of memory that owns nothing, or a slot
  /// of a frame, may be counted in its place: of what refers to a ring from outside, only what the
  /// types say is certain to own it.
  fileprivate var membersOfUnownedRings: Set<Int> {
    let rings = cyclesWithObjects
    var (ringOf, words) = ([Int: Int](), [Int: Int32]())
    for (number, ring) in rings.enumerated() { for block in ring { ringOf[block] = number } }
    for holder in 0..<blocks.count {
      for edge in edges.edges(of: holder) where [.word, .frame].contains(edges.kind(edge)) {
        let target = edges.target(edge)
        if let ring = ringOf[target], ringOf[holder] != ring { words[target, default: 0] += 1 }
      }
    }
    // Plain memory has no count. A block that was copied has one in its flags, twice as large:
    // https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/src/BlocksRuntime/Block_private.h
    func isOwned(_ block: Int, in ring: [Int]) -> Bool {
      let others = words[block, default: 0]
      if kinds[block].isCounted { return check.leavesRoom(for: block, beside: -others) }
      guard others > 0, isCall(block) else { return others > 0 }
      let own = ring.flatMap(edges.targets).filter { $0 == block }.count
      let flags = blocks.region(block).uint32(at: blocks.address(block) + 8)
      return flags.map { $0 & 0xFFFE > own * 2 } ?? true
    }
    return Set(rings.filter { ring in !ring.contains { isOwned($0, in: ring) } }.joined())
  }
}

/// Objects that may be about to go.
private enum LiveObject {
  // Swift has no name for it. It retains an object unless that is being deinitialised:
  // https://github.com/swiftlang/swift/blob/main/stdlib/public/runtime/HeapObject.cpp
  private typealias TryRetain = @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?
  private static let tryRetain = CFunction.named("swift_tryRetain", as: TryRetain.self)

  /// The object that begins at an address; nil when it is being deinitialised.
  static func retained(at address: UInt) -> AnyObject? {
    UnsafeRawPointer(bitPattern: address).flatMap { tryRetain?($0) }
      .map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
  }
}
