import RuntimeABI

extension EdgeFinder {
  /// Adds what a task holds: a finished one its result; an unfinished one its closure, and what
  /// the slots of its frames refer to.
  mutating func findInTask(_ block: Int) {
    let address = heap.blocks.address(block)
    let task = TaskReader(address: address)
    tasks[block] = task.described(isKnown: isKnown)
    let offset = task.future - address
    if task.isFinished {
      if task.isFuture, RuntimeTrust.knows(.taskResults) { findResult(of: task) }
    } else {
      scan(address, from: offset, to: heap.blocks.size(block), kind: .frame)
      findChildren(from: task.future, to: address + heap.blocks.size(block))
      findInSlabs(of: task, frames: task.frames(isKnown: isKnown))
    }
    addSlabs(of: task)
  }

  private mutating func findResult(of task: TaskReader) {
    let future = task.future
    let status = Memory.word(future) & abi.task.resultBits
    let block = heap.blocks.index(of: task.address)
    let end = heap.blocks.size(block)
    let offset = future - task.address
    if status == abi.task.threw {
      let start = offset + abi.task.resultError
      scan(task.address, from: start, to: start + 8, kind: .result)
    }
    guard status == abi.task.returned else { return }
    let type = Memory.word(future + abi.task.resultType)
    guard heap.surroundings.segments.contains(type &- abi.metadata.witnesses, count: 16) else {
      return
    }
    let size = ValueWitnesses(metadata: type).size
    let start = offset + abi.task.resultValue
    scan(task.address, from: start, to: min(start + min(size, end), end), kind: .result)
  }

  private mutating func findInSlabs(of task: TaskReader, frames: [TaskReader.Frame]) {
    for slab in slabs(of: task) {
      let end = slab + abi.slab.header + usedBytes(of: slab)
      for (context, until, code) in stretches(of: frames, from: slab, to: end)
      where !skipped.contains(code) {
        let start = max(context, slab + abi.slab.header)
        let isOfTests = heap.surroundings.segments.isOfTestLibrary(code)
        let kind = isOfTests ? EdgeKind.stale : .frame
        scan(context, from: start - context, to: until - context, kind: kind, code: code)
      }
      findChildren(from: slab + abi.slab.header, to: end)
    }
  }

  /// Finds the tasks of `async let`, which live in their parent's frames. What is in their own
  /// slabs counts as the parent's.
  private mutating func findChildren(from start: UInt, to end: UInt) {
    guard let metadata = RuntimeSymbols.current?.taskMetadata else { return }
    let first = (start + 15) & ~15
    guard first + abi.task.size <= end else { return }
    for address in stride(from: first, through: end - abi.task.size, by: 16)
    where Memory.word(address) == metadata && children[address] == nil {
      let child = TaskReader(address: address)
      guard child.isChild, child.isTask(in: heap) else { continue }
      children[address] = child.described(isKnown: isKnown)
      if !child.isFinished {
        findInSlabs(of: child, frames: child.frames(isKnown: isKnown))
        addSlabs(of: child)
      }
    }
  }

  /// The part of a slab that is in use, cut where frames begin. What is before the first frame has
  /// no code.
  private func stretches(
    of frames: [TaskReader.Frame], from slab: UInt, to end: UInt
  ) -> [(context: UInt, until: UInt, code: UInt)] {
    let inside = frames.filter { $0.context > slab && $0.context < end }
    let starts = [TaskReader.Frame(context: slab, code: 1)] + inside
    return starts.indices.map { index in
      let until = index + 1 < starts.count ? starts[index + 1].context : end
      return (starts[index].context, until, starts[index].code)
    }
  }

  private func slabs(of task: TaskReader) -> [UInt] {
    var found: [UInt] = []
    var slab = task.firstSlab
    while slab != 0, isKnown(slab, abi.slab.header), found.count < 1 << 16,
      Memory.word(slab) == RuntimeSymbols.current?.slabMetadata
    {
      found.append(slab)
      slab = Memory.word(slab + abi.slab.next)
    }
    return found
  }

  // Never more than the block has: the slab may belong to a task that is running.
  private func usedBytes(of slab: UInt) -> UInt {
    let used = UInt(Memory.uint32(slab + abi.slab.used))
    let block = heap.blocks.index(containing: slab)
    guard block >= 0 else { return 0 }
    let room = heap.blocks.address(block) + heap.blocks.size(block) - slab
    return min(used, room - abi.slab.header)
  }

  private mutating func addSlabs(of task: TaskReader) {
    for slab in slabs(of: task) {
      let block = heap.blocks.index(of: slab)
      if block >= 0 { edges.add(block, slot: 0, kind: .slab) }
    }
  }
}

extension LoadedSegments {
  /// Whether code is that of a library that runs tests.
  ///
  /// Its functions hand over what a test needs, and wait. What else their slots refer to are
  /// leftovers, behind which the real holder of what a test has leaked was not seen.
  func isOfTestLibrary(_ code: UInt) -> Bool {
    guard let library = segment(at: code)?.name else { return false }
    return abi.testing.libraries.contains { library.hasPrefix($0) }
  }
}
