package import CMemlabProcess
package import MemlabHeapModel
package import MemlabRuntimeABI

/// Whether the process's other threads may have a way to some blocks.
///
/// Of a thread that waits in the kernel, the kernel tells where its stack ends, so the stack can be
/// read. What a running thread has in its registers is unknown. In doubt the answer is yes.
package struct ThreadStacks {
  private let searched: Set<Int>
  private let inner: InnerPointers
  private let blocks: BlockList
  private let code: UserCode
  private let segments: LoadedSegments
  private let mappings = ProcessFiles.mappings()

  /// Asks for some of a survey's blocks.
  package init(searching searched: Set<Int>, in survey: Survey) {
    self.searched = searched
    inner = InnerPointers(into: searched, survey)
    blocks = survey.blocks
    segments = survey.segments
    code = UserCode(segments)
  }

  /// Whether a thread other than the calling one may know one of the blocks.
  ///
  /// It gives way to threads that run until they wait: where many tests run at the same time, one of
  /// their threads runs whenever this is asked.
  package func incomingPaths() -> IncomingPaths {
    var isFound = false
    let isClear = ProcessThread.askOthers { thread in
      guard !isFound else { return false }
      let ways = incomingPaths(from: thread)
      isFound = ways == .found
      return ways == .unclear
    }
    return isFound ? .found : isClear ? .none : .unclear
  }

  /// The threads that wait, other than the calling one and those that serve a queue, with their names
  /// and with the blocks whose addresses stand on their stacks.
  func waiting() -> [(name: String?, blocks: [Int])] {
    let asking = ProcessThread.current
    return ProcessThread.all().filter { $0.id != asking && !$0.hasEnded && !isIdleWorker($0) }
      .compactMap { thread in
        var found: [Int] = []
        var outermost: UInt?
        guard thread.isAtRest, let stack = thread.stackPointer.flatMap(stack) else {
          return thread.isWorker ? nil : (thread.name, found)
        }
        _ = MemoryCopy.readUpToGap(stack) { region in
          blocks.forEachReference(in: region) { block, _ in found.append(block) }
          outermost = outermostCode(in: region) ?? outermost
        }
        // A thread that a queue's has made has its name, until somebody gives it another.
        let servesQueue = outermost.map(isDispatch) ?? thread.isWorker
        return servesQueue ? nil : (thread.name, found)
      }
  }

  /// A thread other than the calling one that runs, that waits in the middle of somebody's code as
  /// one of a queue's or as a young one, or that is young and no queue's.
  ///
  /// - Parameter isYoung: asked for threads that wait.
  package func atWork(where isYoung: (ProcessThread) -> Bool) -> ProcessThread? {
    let asking = ProcessThread.current
    return ProcessThread.all().first { thread in
      guard thread.id != asking, !thread.hasEnded, !isIdleWorker(thread) else { return false }
      guard thread.isAtRest, let stack = thread.stackPointer.flatMap(stack) else { return true }
      var isInCode = false
      var outermost: UInt?
      let isRead = MemoryCopy.readUpToGap(stack) { region in
        isInCode = isInCode || code.stands(in: region)
        outermost = outermostCode(in: region) ?? outermost
      }
      let servesQueue = thread.isWorker || outermost.map(isDispatch) == true
      guard servesQueue else { return isYoung(thread) }
      return !thread.isEventLoop && (isInCode || !isRead)
    }
  }

  // The last address of code in a part of a stack. At its end is what the thread was made to call, so
  // that a queue's thread is known where it has no name, as before Swift 6.3.
  private func outermostCode(in region: Region) -> UInt? {
    var outermost: UInt?
    region.forEachWord(from: region.start, to: region.end) { _, word in
      if segments.isCode(word), !beginsThreads(word) { outermost = word }
    }
    return outermost
  }

  private func isDispatch(_ code: UInt) -> Bool {
    segments.segment(at: code)?.name.hasPrefix(abi.libraries.dispatch) == true
  }

  // The system's library begins each thread, and knows what that is to call.
  private func beginsThreads(_ code: UInt) -> Bool {
    guard let name = segments.segment(at: code)?.name else { return false }
    return abi.libraries.beginThreads.contains { name.hasPrefix($0) }
  }

  // What a function keeps in a register while it waits, only the kernel has. Those of libraries are
  // known to keep nothing that is not in memory too.
  private func incomingPaths(from thread: ProcessThread) -> IncomingPaths {
    guard !thread.hasEnded, !isIdleWorker(thread) else { return .none }
    guard thread.isAtRest, let pointer = thread.stackPointer else { return .unclear }
    guard let stack = stack(above: pointer) else { return .found }
    var mayKnow = false
    let isRead = MemoryCopy.readUpToGap(stack) { region in
      blocks.forEachReference(in: region) { block, _ in
        mayKnow = mayKnow || searched.contains(block)
      }
      mayKnow = mayKnow || inner.stand(in: region)
      mayKnow = mayKnow || !thread.isEventLoop && code.stands(in: region)
    }
    return mayKnow || !isRead ? .found : .none
  }

  // Dispatch's threads without work wait at semaphores of its own. Nothing has called them, and what
  // stands on their stacks is what earlier calls have left there.
  private func isIdleWorker(_ thread: ProcessThread) -> Bool {
    guard let segment = thread.futex.flatMap(segments.segment) else { return false }
    return segment.is_writable == 1 && segment.name.hasPrefix(abi.libraries.dispatch)
  }

  // What a function may use below its stack pointer, in the ABI of System V.
  private static let redZone: UInt = 128

  // Other memory may follow a stack without a gap. No block of the allocator's begins in a stack, so
  // the stack is over where one does.
  private func stack(above pointer: UInt) -> Range<UInt>? {
    guard let mapping = mappings.first(where: { $0.range.contains(pointer) }), mapping.isReadable
    else { return nil }
    let end = blocks.beginning(of: pointer..<mapping.range.upperBound).upperBound
    return max(mapping.range.lowerBound, pointer - Self.redZone)..<end
  }
}

/// The code that is not a library's of Swift or of the system.
private struct UserCode {
  private let ranges: [Range<UInt>]

  init(_ segments: LoadedSegments) {
    ranges = segments.all.filter {
      $0.is_executable == 1 && !LibraryCode.contains(module: nil, library: $0.name)
    }.map { $0.start..<$0.end }
  }

  /// Whether a word in a stretch of memory is an address of such code, as a call that has not
  /// returned leaves one.
  func stands(in region: Region) -> Bool {
    var stands = false
    region.forEachWord(from: region.start, to: region.end) { _, word in
      stands = stands || ranges.contains { $0.contains(word) }
    }
    return stands
  }
}
