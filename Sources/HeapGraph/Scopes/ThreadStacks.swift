internal import CHeapRecorder

/// What the stacks of the process's other threads refer to.
///
/// A thread that waits in the kernel tells where its stack ends; of one that runs, all of its stack
/// is read, with what calls that have returned left there. Threads that ask, as the calling one
/// does, are left out: they are known to do nothing else.
struct ThreadStacks {
  /// The blocks whose addresses stand on some other thread's stack.
  private(set) var blocks: Set<Int> = []
  /// Whether some thread may have more in its registers: it waits in the middle of a function that
  /// is not a library's. What such a function keeps in a register meanwhile, only the kernel has.
  private(set) var mayUseRegisters = false
  /// Whether some thread runs, or would if there were a processor for it.
  let isBusy: Bool

  /// Reads the stacks; nil when the kernel does not let a process read them, or not all are found.
  ///
  /// - Parameter askers: the numbers of threads that are left out.
  init?(among blocks: BlockList, askers: Set<Int>, _ segments: LoadedSegments) {
    let threads = ProcessThread.all()
    let pointers = threads.compactMap(\.stackPointer)
    let own = threads.filter { askers.contains($0.id) }.compactMap(\.stackPointer)
    let stacks = Self.stacks(beside: pointers, among: blocks)
    guard stacks.count >= threads.count else { return nil }
    isBusy = threads.contains { !$0.isAtRest && !askers.contains($0.id) }
    let code = UserCode(segments)
    for stack in stacks where !own.contains(where: stack.contains) {
      let start = pointers.filter(stack.contains).min()
      var hasUserCode = false
      let isRead = Self.read((start ?? stack.lowerBound)..<stack.upperBound) { from, to in
        blocks.forEachReference(from: from, to: to) { block, _ in self.blocks.insert(block) }
        if start != nil { hasUserCode = hasUserCode || code.standsIn(from, to) }
      }
      guard isRead else { return nil }
      let thread = threads.first { $0.stackPointer.map(stack.contains) == true }
      if hasUserCode, thread?.isEventLoop == false { mayUseRegisters = true }
    }
  }

  private static let heapAlignment: UInt = 64 << 20

  // Behind a page that may not be touched, as threads' stacks are, or where a thread says that its
  // stack is; the first thread's has a name. The kernel may have joined a stack to memory of the
  // allocator's that follows it. Glibc's own heaps look like stacks, but for where they begin.
  private static func stacks(beside pointers: [UInt], among blocks: BlockList) -> [Range<UInt>] {
    var stacks: [Range<UInt>] = []
    var guarded: UInt = 0
    for mapping in ProcessFiles.mappings() {
      let start = mapping.range.lowerBound
      let isStack =
        start == guarded && start % heapAlignment != 0 || mapping.name == "[stack]"
        || pointers.contains(where: mapping.range.contains)
      if mapping.isWritable, isStack, mapping.name.isEmpty || mapping.name.hasPrefix("[") {
        let beginning = blocks.beginning(of: mapping.range)
        stacks.append(beginning)
        let others = pointers.filter { mapping.range.contains($0) && !beginning.contains($0) }
        stacks += others.map { $0..<mapping.range.upperBound }
      }
      guarded = mapping.isGuard ? mapping.range.upperBound : 0
    }
    return stacks
  }

  // Through the kernel: a thread that ends takes its stack with it.
  private static func read(_ range: Range<UInt>, _ body: (UInt, UInt) -> Void) -> Bool {
    let size: UInt = 1 << 16
    return withUnsafeTemporaryAllocation(byteCount: Int(size), alignment: 16) { buffer in
      let base = UInt(bitPattern: buffer.baseAddress)
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Int(size)) {
        let count = min(size, range.upperBound - start)
        let got = memory_copy_some(start, buffer.baseAddress, Int(count))
        if got < 0 { return false }
        body(base, base + UInt(got))
      }
      return true
    }
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
  func standsIn(_ start: UInt, _ end: UInt) -> Bool {
    stride(from: (start + 7) & ~7, to: end & ~7, by: 8).contains { place in
      let word = Memory.word(place)
      return ranges.contains { $0.contains(word) }
    }
  }
}
