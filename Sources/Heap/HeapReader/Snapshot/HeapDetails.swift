import MemlabHeapModel
import MemlabRuntimeABI

/// What the scan of the blocks does not find by its tables of numbers: types met for the first time,
/// tasks, thrown errors, what is in existential containers.
final class HeapDetails: HeapGuide {
  /// What is around the blocks.
  let memory: ProcessMemory
  /// The layouts met so far.
  private(set) var catalog: TypeCatalog
  /// Where the metadata of an error's type is, by the error's block, unless it was made at run time.
  private(set) var errorTypes: [Int: UInt] = [:]
  /// The tasks that are blocks of their own, by block.
  var tasks: [Int: HeapTask] = [:]
  /// The tasks of `async let`, by address.
  var children: [UInt: HeapTask] = [:]
  /// The code of frames whose slots are not read.
  let skipped: Set<UInt>
  /// The memory of unknown use whose words mean nothing.
  let leftovers: Leftovers
  // The shapes of existential containers, by the type of the value.
  private var containers: [UInt: ValueShape] = [:]

  /// Prepares to be asked about some blocks.
  init(of blocks: BlockList, catalog: TypeCatalog, skippingFramesOf skipped: Set<UInt>) {
    memory = ProcessMemory(blocks: blocks)
    memory.known = catalog.shapes
    (self.catalog, self.skipped) = (catalog, skipped)
    leftovers = Leftovers(among: blocks, memory.segments)
  }

  let taskMetadata = RuntimeSymbols.current.map { (task: $0.taskMetadata, slab: $0.slabMetadata) }

  func readType(_ word: UInt) -> Int32 { catalog.read(word, memory) }

  func isTask(_ region: Region, counts: ReferenceCounts) -> Bool {
    TaskReader(in: region).isTask(counts, memory.segments)
  }

  func isType(_ metadata: UInt) -> Bool { memory.isType(metadata) }

  func isTaskLocal(_ type: Int32) -> Bool {
    catalog.layouts[Int(type)].name.hasPrefix(abi.task.localType)
  }

  func isLeftover(_ block: Int) -> Bool { leftovers.contains(block) }

  // Three words for the value or for a box with it, and the value's type.
  func containerShape(at address: UInt, in region: Region) -> ValueShape {
    guard let type = region.word(at: address + abi.container.type), type != 0 else {
      return ValueShape()
    }
    if let shape = containers[type] { return shape }
    // The container may be only partly written.
    guard let witnesses = try? ValueWitnesses(metadata: type, memory) else {
      return .throughout(.mixed, size: abi.container.type)
    }
    var shape = ValueShape()
    if witnesses.isInline {
      shape.add(memory.shape(of: type), at: 0, size: abi.container.type)
    } else {
      shape.add(.throughout(.strong), at: 0, size: 8)
    }
    containers[type] = shape
    return shape
  }

  // The error may be only partly written.
  func meetError(_ block: Int, _ region: Region) {
    guard RuntimeTrust.knows(.errors),
      let type = region.word(at: region.start + abi.error.type), memory.isType(type),
      let kind = try? memory.word(type)
    else { return }
    let kinds = [abi.kind.classObject, abi.kind.structure, abi.kind.enumeration]
    if kinds.contains(kind) { errorTypes[block] = type }
  }
}

extension HeapDetails {
  /// Adds what a task holds: a finished one its result; an unfinished one its closure, and what
  /// the slots of its frames refer to.
  func findInTask(_ block: Int, _ region: Region, _ finder: inout EdgeFinder) {
    let task = TaskReader(in: region)
    tasks[block] = task.described(memory)
    if task.isFinished {
      if task.isFuture, RuntimeTrust.knows(.taskResults) {
        findResult(of: task, in: region, &finder)
      }
    } else {
      finder.scan(region, from: task.future, to: region.count, kind: .frame)
      findChildren(in: region.part(from: region.start + task.future, to: region.end), &finder)
      findInMemory(of: task, &finder)
    }
    addMemory(of: task, &finder)
  }

  private func findResult(of task: TaskReader, in region: Region, _ finder: inout EdgeFinder) {
    let future = task.future
    let status = (region.word(at: region.start + future) ?? 0) & abi.task.resultBits
    if status == abi.task.threw {
      let start = future + abi.task.resultError
      finder.scan(region, from: start, to: start + 8, kind: .result)
    }
    guard status == abi.task.returned,
      let type = region.word(at: region.start + future + abi.task.resultType),
      let size = try? ValueWitnesses(metadata: type, memory).size
    else { return }
    let start = future + abi.task.resultValue
    finder.scan(region, from: start, to: start + size, kind: .result)
  }

  private func findInMemory(of task: TaskReader, _ finder: inout EdgeFinder) {
    let frames = task.frames(memory)
    // What is not in a recorded block was there before recording began.
    for slab in slabs(of: task) where memory.blocks.index(containing: slab.start) >= 0 {
      let start = slab.start + abi.slab.header
      let bytes = UInt(slab.uint32(at: slab.start + abi.slab.used) ?? 0)
      let used = slab.part(from: start, to: start + bytes)
      guard used.count > 0 else { continue }
      find(in: used, of: frames, from: slab.start, &finder)
    }
    for block in ownBlocks(of: task) where finder.heap.kinds[block] == .taskSlab {
      let region = memory.blocks.region(block)
      find(in: region, of: frames, from: region.start, &finder)
    }
  }

  private func find(
    in used: Region, of frames: [TaskReader.Frame], from start: UInt, _ finder: inout EdgeFinder
  ) {
    // Cut where frames begin. What is before the first frame has no code.
    let inside = frames.filter { $0.context >= start && $0.context < used.end }
      .sorted { $0.context < $1.context }
    let parts = [TaskReader.Frame(context: start, code: 1)] + inside
    let ends = inside.map(\.context) + [used.end]
    for (frame, until) in zip(parts, ends) where !skipped.contains(frame.code) {
      let context = frame.context
      let kind = memory.segments.isOfTestLibrary(frame.code) ? EdgeKind.stale : .frame
      finder.scan(
        used, at: context, from: max(context, used.start) - context, to: until - context,
        kind: kind, code: frame.code)
    }
    findChildren(in: used, &finder)
  }

  /// Finds the tasks of `async let`, which live in their parent's frames. What is in their own
  /// slabs counts as the parent's.
  private func findChildren(in region: Region, _ finder: inout EdgeFinder) {
    for child in childTasks(in: region, finder.heap.counts) where children[child.address] == nil {
      children[child.address] = child.described(memory)
      if !child.isFinished {
        findInMemory(of: child, &finder)
        addMemory(of: child, &finder)
      }
    }
  }

  private func childTasks(in region: Region, _ counts: ReferenceCounts) -> [TaskReader] {
    guard let metadata = RuntimeSymbols.current?.taskMetadata else { return [] }
    var found: [TaskReader] = []
    region.forEachAddress(within: (metadata, 0)) { address, _ in
      let child = TaskReader(in: region.part(from: address, to: region.end))
      let isTask = address & 15 == 0 && child.isChild && child.isTask(counts, memory.segments)
      if isTask { found.append(child) }
    }
    return found
  }

  func ownBlocks(ofTask region: Region, counts: ReferenceCounts) -> [Int] {
    var (found, tasks) = ([Int](), [TaskReader(in: region)])
    while let task = tasks.popLast() {
      let own = ownBlocks(of: task).filter { !found.contains($0) }
      found += own
      for block in own { tasks += childTasks(in: memory.blocks.region(block), counts) }
    }
    return found
  }

  private func ownBlocks(of task: TaskReader) -> [Int] {
    task.ownBlocks(memory).map(memory.blocks.index(of:)).filter { $0 >= 0 }
  }

  // The slabs of a task, each as far as the memory goes that it lies in. Their list may be that of a
  // task which is running.
  private func slabs(of task: TaskReader) -> [Region] {
    var found: [Region] = []
    var seen: Set<UInt> = []
    var slab = task.firstSlab
    while slab != 0, slab & 7 == 0, seen.insert(slab).inserted,
      let whole = try? memory.region(at: slab, count: abi.slab.header),
      whole.word(at: slab) == RuntimeSymbols.current?.slabMetadata
    {
      found.append(whole.part(from: slab, to: whole.end))
      slab = whole.word(at: slab + abi.slab.next) ?? 0
    }
    return found
  }

  private func addMemory(of task: TaskReader, _ finder: inout EdgeFinder) {
    let slabs = slabs(of: task).map { memory.blocks.index(of: $0.start) }
    for block in slabs + ownBlocks(of: task) where block >= 0 { finder.add(slab: block) }
  }
}

extension LoadedSegments {
  /// Whether code is that of a library that runs tests.
  ///
  /// Its functions hand over what a test needs, and wait. What else their slots refer to are
  /// leftovers, behind which the real holder of what a test has leaked was not seen.
  package func isOfTestLibrary(_ code: UInt) -> Bool { segment(at: code)?.isOfTestLibrary == true }
}
