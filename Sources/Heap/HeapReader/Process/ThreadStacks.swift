import CMemlabProcess
import CMemlabRecorder
package import MemlabHeapModel
import MemlabRuntimeABI

/// A thread, by the kernel's number for it, that waits until another one changes a word of a block; and how
/// often the addresses of blocks stand on its stack.
package typealias BlockedThread = (id: Int, block: Int, slots: [Int: Int32])

/// Whether the process's other threads may have a way to some blocks.
///
/// Of a thread that waits in the kernel, the kernel tells where its stack ends, so the stack can be
/// read. One that runs, or that may keep something in a register while it waits, is stopped for a
/// moment and copied, where the kernel allows it. In doubt the answer is yes.
package struct ThreadStacks {
  private let survey: Survey
  // The code that is not a library's of Swift or of the system.
  private let userCode: [Range<UInt>]
  private let mappings = ProcessFiles.mappings()

  /// The threads of a survey's process.
  package init(of survey: Survey) {
    self.survey = survey
    userCode = survey.segments.all.filter {
      $0.is_executable == 1 && !LibraryCode.contains(module: nil, library: $0.name)
    }.map { $0.start..<$0.end }
  }

  /// Whether one of some blocks may be known to a thread other than the calling one, or from memory that
  /// the program has mapped by itself.
  ///
  /// It gives way to threads that run until they wait: where many tests run at the same time, one of
  /// their threads runs whenever this is asked.
  ///
  /// - Parameters:
  ///   - searched: the blocks.
  ///   - blocked: the numbers of threads that are not asked.
  ///   - limit: for how long it gives way at most.
  /// - Returns: the answer, and the threads that were stopped for it.
  package func incomingPaths(
    to searched: Set<Int>, besides blocked: Set<Int>, givingWay limit: Duration
  ) -> (ways: IncomingPaths, stopped: [ProcessThread]) {
    let inner = survey.marked(searched)
    func mayKnow(_ look: Look) -> Bool {
      look.isInside || !look.isRead || look.blocks.contains(where: searched.contains)
    }
    guard !mayKnow(lookAtMappedMemory(searchingFor: inner)) else { return (.found, []) }
    var (isFound, waiting): (Bool, [ProcessThread]) = (false, [])
    let running = ProcessThread.askOthers(atMost: limit) { thread in
      guard !isFound, !isOutOfWork(thread), !blocked.contains(thread.id) else { return false }
      guard thread.isAtRest else { return true }
      let look = look(at: thread, searchingFor: inner)
      isFound = look.map(mayKnow) ?? false
      // What a function keeps in a register while it waits, only the kernel has. Those of libraries are
      // known to keep nothing that is not in memory too.
      if look.map({ !thread.isEventLoop && isInUserCode($0) }) ?? true { waiting.append(thread) }
      return false
    }
    guard !isFound else { return (.found, []) }
    let stopped = running + waiting
    let looks = looks(stopping: stopped, searchingFor: inner)
    guard !looks.values.contains(where: mayKnow) else { return (.found, stopped) }
    let isRead = { (thread: ProcessThread) in looks[thread.id] != nil }
    guard waiting.allSatisfy(isRead) else { return (.found, stopped) }
    return (running.allSatisfy(isRead) ? .none : .unclear, stopped)
  }

  /// The threads that wait without a limit for a word in a block to change, as of a semaphore or of a
  /// condition variable.
  package func blockedThreads() -> [BlockedThread] {
    ProcessThread.all().compactMap { thread in
      let block = thread.futexWithoutLimit.map(survey.blocks.index(containing:)) ?? -1
      guard block >= 0, let look = look(at: thread), look.isRead else { return nil }
      let slots = look.blocks.reduce(into: [Int: Int32]()) { $0[$1, default: 0] += 1 }
      return (thread.id, block, slots)
    }
  }

  /// The threads other than the calling one, and other than those of queues that have nothing to do, with
  /// their names and with the blocks whose addresses stand on their stacks and, where they run or wait in
  /// code that is no library's, in their registers.
  func others() -> [(name: String?, blocks: [Int])] {
    let asking = ProcessThread.current
    let others = ProcessThread.all().filter { $0.id != asking && !isOutOfWork($0) }
      .map { (thread: $0, look: look(at: $0)) }
    let stopped = looks(
      stopping: others.filter { $0.look.map(isInUserCode) != false }.map(\.thread))
    return others.compactMap { thread, look in
      guard let look = stopped[thread.id] ?? look else {
        return thread.isWorker ? nil : (thread.name, [])
      }
      return servesQueue(thread, look) && !isInUserCode(look) ? nil : (thread.name, look.blocks)
    }
  }

  /// A thread other than the calling one that runs, that waits in the middle of somebody's code as
  /// one of a queue's or as a young one, or that is young and no queue's.
  ///
  /// - Parameters:
  ///   - limit: for how long it gives way to those that run at most.
  ///   - isYoung: asked for threads that wait.
  ///   - isOthers: asked for the blocks whose addresses a thread knows: whether it works for somebody else.
  package func atWork(
    givingWay limit: Duration, where isYoung: (ProcessThread) -> Bool,
    unless isOthers: (Set<Int>) -> Bool
  ) -> ProcessThread? {
    var found: ProcessThread?
    let running = ProcessThread.askOthers(atMost: limit) { thread in
      guard found == nil, !isOutOfWork(thread) else { return false }
      guard let look = look(at: thread) else { return true }
      // One that a queue's has made counts as both: as a thread of a pool, it may be older than its work.
      let servesQueue = servesQueue(thread, look)
      let isInCode = !thread.isEventLoop && (isInUserCode(look) || !look.isRead)
      let isAtWork =
        (servesQueue || thread.isWorker) && isInCode
        || !servesQueue && !thread.isMainLoop && isYoung(thread)
      if isAtWork, !look.isRead || !isOthers(Set(look.blocks)) { found = thread }
      return false
    }
    guard found == nil else { return found }
    let looks = looks(stopping: running)
    return running.first { looks[$0.id].map { isOthers(Set($0.blocks)) } != true }
  }

  /// What stands on the stack of a thread that waits.
  private struct Look {
    /// Whether it could be read.
    var isRead = false
    /// The addresses of code, as calls that have not returned leave them.
    var code: [UInt] = []
    /// The blocks whose addresses are there.
    var blocks: [Int] = []
    /// Whether there is an address in the middle of a block that is searched for.
    var isInside = false
  }

  private func look(at thread: ProcessThread, searchingFor inner: MarkedBlocks? = nil) -> Look? {
    guard thread.isAtRest, let stack = thread.stackPointer.flatMap(stack) else { return nil }
    var look = Look()
    look.isRead = MemoryCopy.readUpToGap(stack) { add($0, to: &look, inner) }
    return look
  }

  // What the program has mapped by itself has no blocks. It is unread where not all of it is known.
  private func lookAtMappedMemory(searchingFor inner: MarkedBlocks) -> Look {
    let count = heap_recorder_mappings()
    var look = Look(isRead: count >= 0)
    guard count > 0 else { return look }
    let noted = (0..<count).map(heap_recorder_mapping).map { $0.start..<$0.end }
    // A thread may have mapped more since the list was made.
    let isListed = noted.allSatisfy { noted in
      mappings.contains { $0.range.contains(noted.lowerBound) }
    }
    let listed = isListed ? mappings : ProcessFiles.mappings()
    for noted in noted {
      for mapping in listed where mapping.isReadable && mapping.range.overlaps(noted) {
        _ = MemoryCopy.readUpToGap(mapping.range.clamped(to: noted)) { add($0, to: &look, inner) }
      }
    }
    return look
  }

  private func add(_ region: Region, to look: inout Look, _ inner: MarkedBlocks?) {
    survey.blocks.forEachReference(in: region) { block, _ in look.blocks.append(block) }
    look.isInside = look.isInside || inner?.pointed(from: region).isEmpty == false
    region.forEachWord(from: region.start, to: region.end) { _, word in
      if survey.segments.isCode(word) { look.code.append(word) }
    }
  }

  // What threads have in their registers and on their stacks, whether they run or wait; nothing of those
  // that cannot be stopped.
  private func looks(
    stopping threads: [ProcessThread], searchingFor inner: MarkedBlocks? = nil
  ) -> [Int: Look] {
    guard !threads.isEmpty else { return [:] }
    var copies = threads.map { thread in
      var copy = copied_thread()
      copy.id = thread.id
      return copy
    }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: copies.count * Self.largestStack, alignment: 16)
    defer { memory.deallocate() }
    memlab_threads_copy(&copies, copies.count, memory, Self.largestStack)
    var looks: [Int: Look] = [:]
    for (place, thread) in copies.enumerated() {
      let start = thread.stack_start
      guard thread.copied > 0, let range = stack(above: start) else { continue }
      let count = min(UInt(thread.copied), range.upperBound - start)
      // The guard of the next thread's stack may lie in the same mapping: a copy ends there, too.
      let isWhole = thread.copied < Self.largestStack || start + count == range.upperBound
      var look = Look(isRead: isWhole)
      // Before the stack, whose last address of code is that of the outermost call.
      withUnsafeBytes(of: thread.registers) { words in
        let base = UInt(bitPattern: words.baseAddress)
        add(Region(proven: base, count: UInt(words.count)), to: &look, inner)
      }
      let copy = UInt(bitPattern: memory) + UInt(place * Self.largestStack)
      add(Region(proven: copy, count: count), to: &look, inner)
      looks[thread.id] = look
    }
    return looks
  }

  // In bytes. Of more, a thread's stack counts as unread.
  private static let largestStack = 1 << 20

  // The last address of code. At its end is what the thread was made to call, so that a queue's thread
  // is known where it has no name, as before Swift 6.3.
  private func outermost(_ look: Look) -> UInt? { look.code.last { !beginsThreads($0) } }

  // A thread that a queue's has made has its name, until somebody gives it another.
  private func servesQueue(_ thread: ProcessThread, _ look: Look) -> Bool {
    outermost(look).map(survey.segments.isDispatch) ?? thread.isWorker
  }

  private func isInUserCode(_ look: Look) -> Bool {
    look.code.contains { word in userCode.contains { $0.contains(word) } }
  }

  // The system's library begins each thread, and knows what that is to call.
  private func beginsThreads(_ code: UInt) -> Bool {
    guard let name = survey.segments.segment(at: code)?.name else { return false }
    return abi.libraries.beginThreads.contains { name.hasPrefix($0) }
  }

  // Dispatch's threads without work wait at semaphores of its own. Nothing has called them, and what
  // stands on their stacks is what earlier calls have left there.
  private func isOutOfWork(_ thread: ProcessThread) -> Bool {
    let semaphore = thread.futex.flatMap(survey.segments.segment)
    return thread.hasEnded || semaphore?.is_writable == 1 && semaphore?.isDispatch == true
  }

  // Other memory may follow a stack without a gap. No block of the allocator's begins in a stack, so
  // the stack is over where one does.
  private func stack(above pointer: UInt) -> Range<UInt>? {
    guard let mapping = mappings.first(where: { $0.range.contains(pointer) }), mapping.isReadable
    else { return nil }
    let end = survey.blocks.beginning(of: pointer..<mapping.range.upperBound).upperBound
    return max(mapping.range.lowerBound, pointer - UInt(STACK_RED_ZONE))..<end
  }
}
