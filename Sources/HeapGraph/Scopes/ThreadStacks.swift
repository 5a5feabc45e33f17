internal import CHeapRecorder

/// What the stacks of the process's other threads refer to.
///
/// A thread that waits in the kernel tells where its stack ends; of one that runs, all of its stack
/// is read, with what calls that have returned left there. The calling thread's is left out: it is
/// known to do nothing but ask.
enum ThreadStacks {
  /// The blocks whose addresses stand on some other thread's stack; nil when the kernel does not
  /// let a process read them.
  static func blocks(in blocks: BlockList) -> Set<Int>? {
    var found = Set<Int>()
    let pointers = stackPointers()
    let own = current_stack_pointer()
    for stack in stacks() where !stack.contains(own) && !blocks.hasBlock(in: stack) {
      let start = pointers.filter(stack.contains).min() ?? stack.lowerBound
      let isRead = read(start..<stack.upperBound) { from, to in
        blocks.forEachReference(from: from, to: to) { block, _ in found.insert(block) }
      }
      guard isRead else { return nil }
    }
    return found
  }

  // Behind a page that may not be touched, as threads' stacks are; the first thread's has a name.
  // The allocator's own memory may look like that too.
  private static func stacks() -> [Range<UInt>] {
    var stacks: [Range<UInt>] = []
    var guarded: UInt = 0
    for mapping in ProcessFiles.mappings() {
      let isStack = mapping.range.lowerBound == guarded || mapping.name == "[stack]"
      if mapping.isWritable, isStack, mapping.name.isEmpty || mapping.name == "[stack]" {
        stacks.append(mapping.range)
      }
      guarded = mapping.isGuard ? mapping.range.upperBound : 0
    }
    return stacks
  }

  // "35 0x7f… 0x0 0x0 0x0 0x0 0x0 0x7ffd… 0x7f…": the last but one is the stack pointer.
  private static func stackPointers() -> [UInt] {
    ProcessFiles.threads().compactMap { thread in
      let words = ProcessFiles.text("/proc/self/task/\(thread)/syscall").split(separator: " ")
      guard words.count >= 3 else { return nil }
      return UInt(words[words.count - 2].dropFirst(2), radix: 16)
    }
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
