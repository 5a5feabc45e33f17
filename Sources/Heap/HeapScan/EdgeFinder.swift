import CMemlabProcess
import MemlabHeapModel
import MemlabRuntimeABI

/// Finds the strong references that each block holds.
package struct EdgeFinder {
  /// The blocks and what they are.
  package let heap: Classifier
  /// What was found.
  package private(set) var edges: EdgeList
  /// The functions that are stored beside references to contexts.
  package private(set) var functions = ContextFunctions()
  /// The function that is stored beside a reference to an object: a closure with one capture uses
  /// the captured object as its context. By the reference's index.
  package private(set) var closures: [Int: UInt] = [:]
  /// The references in memory of unknown use that stand behind a function: to the context that it is
  /// called with.
  private(set) var calls: Set<Int> = []
  /// The references among elements whose type has none, such as bytes, and raw pointers.
  private(set) var unlikely: [Range<Int>] = []
  /// How many slots of frames were left out because the frame's task refers to the block already.
  package private(set) var repeats: [Int: Int32] = [:]
  // Where the list of blocks has found the latest block.
  private var row = 0
  private let plans: ContiguousArray<TypeTable.Plan>
  private let places: ContiguousArray<ValueShape.Part>
  private let addressBits = abi.reference.addressBits
  private let errorType = abi.error.type
  // The addresses below all segments, and those around the latest word that was asked for its segment.
  private let low: Range<UInt>
  private var latest: (addresses: Range<UInt>, segment: loaded_segment?) = (0..<0, nil)

  /// Looks into all blocks.
  package init(heap: Classifier) {
    self.heap = heap
    (plans, places) = (heap.table.plans, heap.table.places)
    low = heap.segments.stretch(around: 0).addresses
    edges = EdgeList(blocks: heap.blocks.count)
    // Taken out of 'self' for each block, the list would be retained each time.
    let blocks = heap.blocks
    blocks.forEachBlock { block, region in
      find(in: block, region, blocks)
      edges.endBlock()
    }
  }

  @inline(__always)
  private mutating func find(in block: Int, _ region: Region, _ blocks: BlockList) {
    switch heap.kinds[block] {
    case .instance, .buffer, .context: findByLayout(block, region, blocks)
    case .error:
      scan(region, from: errorType, to: region.count, kind: .word)
      heap.guide.meetError(block, region)
    case .memory where blocks.references(in: region).isEmpty || heap.guide.isLeftover(block): break
    case .memory: scan(region, from: 0, to: region.count, kind: .word)
    case .task: heap.guide.findInTask(block, region, &self)
    case .taskSlab, .sideTable, .metadata: break
    }
  }

  @inline(__always)
  private mutating func findByLayout(_ block: Int, _ region: Region, _ blocks: BlockList) {
    let type = Int(heap.kinds.type(of: block))
    guard plans[type].isSimple, region.count <= plans[type].fixedSize else {
      return find(by: plans[type], region)
    }
    for index in plans[type].places {
      let offset = places[index].offset
      guard let word = region.word(at: region.start + offset), word != 0 else { continue }
      let target = blocks.index(of: word & addressBits, near: &row)
      guard target >= 0 else { continue }
      let before = region.word(at: region.start + offset - 8) ?? 0
      // Most references are like this: to an object, and no function stands before it.
      let (kind, ownership) = (plans[type].role, places[index].ownership)
      if ownership == .strong, case .instance = heap.kinds[target], !mayBeFunction(before) {
        edges.add(target, slot: offset, kind: kind)
      } else {
        add(target, slot: offset, kind: kind, ownership: ownership, before: before, code: 0)
      }
    }
  }

  private mutating func find(by plan: TypeTable.Plan, _ region: Region) {
    let region = heap.blocks.room(region, of: plan)
    let (size, role) = (region.count, plan.role)
    for index in plan.places { scan(places[index], at: 0, of: region, size, role) }
    for index in plan.choices { scan(heap.table.choices[index], at: 0, of: region, size, role) }
    if case .words = plan.tail {
      let (first, stride) = (edges.count, plan.plainStride ?? 0)
      // Behind the last whole element is room that nothing writes, with what it had before.
      let end = stride > 0 ? size - (size - min(size, plan.fixedSize)) % stride : size
      scan(region, from: plan.fixedSize, to: end, kind: role == .capture ? .mixedCapture : .word)
      if stride > 0 { unlikely.append(first..<edges.count) }
    } else {
      find(in: plan.tail, of: plan.elements, region)
    }
  }

  private mutating func find(in tail: BlockTail, of elements: Range<Int>, _ region: Region) {
    switch tail {
    case .none, .words, .text: break
    case .elements(let column) where column.isPlain: break
    case .elements(let column):
      let end = column.endOfElements(in: region)
      scan(elements.lowerBound, column, in: abi.array.elements..<end, of: region)
    case .ring(let column, _) where column.isPlain: break
    case .ring(let column, let start):
      for stretch in column.slotsInUse(of: region, from: start) ?? [] {
        scan(elements.lowerBound, column, in: stretch, of: region)
      }
    case .table(let key, let value, let bitmap):
      guard let buckets = TableBuckets(in: region, bitmap: bitmap) else { break }
      let columns = [(abi.table.keys, key), (abi.table.values, value)]
      for (shape, (place, column)) in zip(elements, columns) where !column.isPlain {
        let shape = heap.table.shapes[shape]
        buckets.forEachOccupied(place, column) {
          scan(shape, at: $0, of: region, region.count, .element)
        }
      }
    }
  }

  private mutating func scan(
    _ shape: Int, _ column: BlockTail.Column, in stretch: Range<UInt>, of region: Region
  ) {
    guard column.stride > 0 else { return }
    let shape = heap.table.shapes[shape]
    for offset in stride(from: stretch.lowerBound, to: stretch.upperBound, by: Int(column.stride)) {
      scan(shape, at: offset, of: region, stretch.upperBound, .element)
    }
  }

  // Adds the references in a value that begins at an offset of a block and must end at another,
  // whatever its bytes say.
  private mutating func scan(
    _ shape: ValueShape, at offset: UInt, of region: Region, _ end: UInt, _ role: EdgeKind
  ) {
    for part in shape.parts { scan(part, at: offset, of: region, end, role) }
    for choice in shape.choices { scan(choice, at: offset, of: region, end, role) }
  }

  @inline(__always)
  private mutating func scan(
    _ part: ValueShape.Part, at offset: UInt, of region: Region, _ end: UInt, _ role: EdgeKind
  ) {
    let start = offset + part.offset
    let kind = part.ownership == .mixed ? role.ifMixed : role
    scan(
      region, from: start, to: min(start + part.size, end), kind: kind, ownership: part.ownership)
  }

  // The same for a part of a value that may be one of several things.
  private mutating func scan(
    _ choice: ValueShape.Choice, at offset: UInt, of region: Region, _ end: UInt,
    _ role: EdgeKind
  ) {
    let start = offset + choice.offset
    guard start < end else { return }
    switch choice.kind {
    case .payload(let tag, let payloads):
      guard let number = tag.number(at: region.start + start, in: region),
        payloads.indices.contains(number)
      else { return }
      scan(payloads[number], at: start, of: region, end, role)
    case .anything:
      guard start + abi.container.size <= end else { return }
      let shape = heap.guide.containerShape(at: region.start + start, in: region)
      scan(shape, at: start, of: region, end, role)
    }
  }

  /// Adds every word between two offsets that is the address of a block.
  ///
  /// - Parameters:
  ///   - region: what the words lie in.
  ///   - base: what the offsets count from, and the edges' slots too; nil for the region's start.
  package mutating func scan(
    _ region: Region, at base: UInt? = nil, from start: UInt, to end: UInt, kind: EdgeKind,
    ownership: ReferenceOwnership = .strong, code: UInt = 0
  ) {
    guard start < end else { return }
    // Taken out of 'self' for each word, the list would be retained each time.
    let (base, blocks) = (base ?? region.start, heap.blocks)
    region.forEachWord(from: base &+ start, to: base &+ end) { place, word in
      let target = blocks.index(of: word & addressBits, near: &row)
      guard target >= 0 else { return }
      if kind.isMixed, isUnusedRoom(at: place, in: region, from: base &+ start) { return }
      let before = place == base ? 0 : region.word(at: place &- 8) ?? 0
      let isLocal = kind == .frame && isTaskLocal(at: place, type: before, in: region)
      let kind = isLocal ? EdgeKind.taskLocal : kind
      add(target, slot: place - base, kind: kind, ownership: ownership, before: before, code: code)
    }
  }

  /// Hands out what was found, once.
  package mutating func takeEdges() -> EdgeList {
    defer { edges = EdgeList(blocks: 0) }
    return edges
  }

  /// Adds a task's own slab.
  package mutating func add(slab block: Int) { edges.add(block, slot: 0, kind: .slab) }

  private mutating func add(
    _ target: Int, slot: UInt, kind: EdgeKind, ownership: ReferenceOwnership, before: UInt,
    code: UInt
  ) {
    var (isContext, isInstance, isMemory) = (false, false, false)
    switch heap.kinds[target] {
    case .sideTable, .metadata: return
    case .context: isContext = true
    case .instance: isInstance = true
    case .memory: isMemory = true
    default: break
    }
    if ownership == .pointer, !isMemory { return }
    if ownership == .closure, before == 0 { return }
    let isRaw = ownership == .raw && !isMemory
    var kind = isRaw ? EdgeKind.word : kind
    if kind == .word || kind == .frame, edges.hasRecent(target) {
      if kind == .frame { repeats[target, default: 0] += 1 }
      return
    }
    if isRaw { unlikely.append(edges.count..<edges.count + 1) }
    if isContext || isInstance && kind != .frame, isFunction(before) {
      // Such code is called with a job, which this is not: libdispatch has kept the call, and the job has gone.
      if kind == .word, heap.segments.segment(at: before)?.isOfConcurrency == true { return }
      if kind == .word { calls.insert(edges.count) }
      if isInstance {
        closures[edges.count] = before
      } else {
        // What stands before a leftover may be anything.
        let isSure = kind != .word && kind != .frame
        functions.note(before, of: target, isSure: isSure)
        if kind == .frame, code == 0 { kind = .body }
      }
    }
    edges.add(target, slot: slot, kind: kind, code: code)
  }

  // An object in an existential fills the first of three words. The two behind it are never written,
  // and the fourth is the object's class. A type without reflection metadata may
  // contain such a container.
  private func isUnusedRoom(at place: UInt, in region: Region, from start: UInt) -> Bool {
    [8 as UInt, 16].contains { distance in
      let container = place &- distance
      guard container >= start, let object = region.word(at: container),
        let type = region.word(at: container &+ abi.container.type)
      else { return false }
      let block = heap.blocks.index(of: object)
      guard block >= 0, case .instance = heap.kinds[block] else { return false }
      return heap.blocks.region(of: object)?.word(at: object) == type
    }
  }

  // A task keeps each value behind the address of its variable's `TaskLocal` and the value's type:
  // https://github.com/swiftlang/swift/blob/main/include/swift/ABI/TaskLocal.h.
  // Both may be blocks, and lie below all segments where the system gives out addresses from below.
  private func isTaskLocal(at place: UInt, type: UInt, in region: Region) -> Bool {
    guard type & 7 == 0, Region.isAddress(type), place >= region.start &+ abi.task.localKey,
      let key = region.word(at: place &- abi.task.localKey), key & 7 == 0, Region.isAddress(key)
    else { return false }
    let block = heap.blocks.index(of: key)
    guard block >= 0 else {
      return heap.segments.segment(at: key)?.is_writable == 1 && heap.guide.isType(type)
    }
    let keyType = heap.kinds.type(of: block)
    return keyType >= 0 && heap.guide.isType(type) && heap.guide.isTaskLocal(keyType)
  }

  // Before most references stands a count or another reference: a small number, or an address
  // between the same two segments as the one before it.
  @inline(__always)
  private func mayBeFunction(_ word: UInt) -> Bool {
    !low.contains(word) && (latest.segment != nil || !latest.addresses.contains(word))
  }

  private mutating func isFunction(_ word: UInt) -> Bool {
    guard mayBeFunction(word) else { return false }
    if !latest.addresses.contains(word) { latest = heap.segments.stretch(around: word) }
    return latest.segment.map { heap.segments.isFunction(word, in: $0) } ?? false
  }
}

/// The functions that contexts are called with. A heap may have many contexts of which a report names few:
/// the functions are noted one after the other, and make a table when somebody asks.
package struct ContextFunctions: Sendable {
  // The context, and twice the place of its function, one more where that is sure.
  private var noted: ContiguousArray<(context: UInt32, code: UInt32)> = []
  // Many contexts that follow one another have the same.
  private var functions: [UInt] = []
  /// By the context's block.
  package private(set) lazy var table: [Int: UInt] = noted.reduce(into: [:]) { table, next in
    let (context, function) = (Int(next.context), functions[Int(next.code / 2)])
    table[context] = next.code & 1 == 1 ? function : table[context] ?? function
  }

  /// Notes a function that stands before a reference to a context.
  ///
  /// - Parameter isSure: whether it belongs to the reference. What stands before a leftover may be anything.
  package mutating func note(_ function: UInt, of context: Int, isSure: Bool) {
    if functions.last != function { functions.append(function) }
    noted.append((UInt32(context), UInt32(functions.count - 1) * 2 + (isSure ? 1 : 0)))
  }
}
