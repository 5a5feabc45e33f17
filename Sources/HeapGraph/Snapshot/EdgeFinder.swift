import RuntimeABI

/// Finds the strong references that each block holds.
struct EdgeFinder {
  /// The blocks and what they are.
  let heap: Classifier
  /// What was found.
  var edges: EdgeList
  /// The function that is stored beside a reference to a context, by the context's block.
  private(set) var functions: [Int: UInt] = [:]
  /// The function that is stored beside a reference to an object: a closure with one capture uses
  /// the captured object as its context. By the reference's index.
  private(set) var closures: [Int: UInt] = [:]
  /// Where the metadata of an error's type is, by the error's block, unless it was made at run time.
  private(set) var errorTypes: [Int: UInt] = [:]
  /// How many slots of frames were left out because the frame's task refers to the block already.
  private(set) var repeats: [Int: Int32] = [:]
  /// The tasks that are blocks of their own, by block.
  var tasks: [Int: HeapTask] = [:]
  /// The tasks of `async let`, by address.
  var children: [UInt: HeapTask] = [:]
  /// What `Any`s and the like are filled with.
  var containers = ExistentialContainers()
  /// The code of frames whose slots are not read.
  let skipped: Set<UInt>

  /// Looks into all blocks.
  init(heap: Classifier, skippingFramesOf skipped: Set<UInt> = []) {
    self.heap = heap
    self.skipped = skipped
    edges = EdgeList(blocks: self.heap.blocks.count)
    for block in 0..<self.heap.blocks.count {
      find(in: block)
      edges.endBlock()
    }
  }

  private mutating func find(in block: Int) {
    let address = heap.blocks.address(block)
    switch heap.kinds[block] {
    case .instance, .buffer, .context: findByLayout(block)
    case .error:
      scan(address, from: abi.error.type, to: heap.blocks.size(block), kind: .word)
      errorTypes[block] = errorType(at: address + abi.error.type)
    case .memory where heap.blocks.isSpentRedirection(block, heap.surroundings.segments): break
    case .memory: scan(address, from: 0, to: heap.blocks.size(block), kind: .word)
    case .task: findInTask(block)
    case .taskSlab, .sideTable, .metadata: break
    }
  }

  private mutating func findByLayout(_ block: Int) {
    let address = heap.blocks.address(block)
    let plan = heap.catalog.plans[Int(heap.layouts[block])]
    let size = heap.blocks.room(block, of: plan.kind, behind: plan.fixedSize)
    let holding: ValueHolder = plan.kind == .context ? .capture : .field
    for index in plan.places {
      let place = heap.catalog.places[index]
      scan(
        address, from: place.offset, to: min(place.end, size), kind: holding.kind(place.ownership),
        ownership: place.ownership)
    }
    for index in plan.choices {
      scan(heap.catalog.choices[index], at: 0, of: address, size, holding)
    }
    if case .words = plan.tail {
      let kind: EdgeKind = plan.kind == .context ? .mixedCapture : .word
      scan(address, from: plan.fixedSize, to: size, kind: kind)
    } else {
      find(in: plan.tail, of: plan.elements, address, size)
    }
  }

  private mutating func find(
    in tail: TypeLayout.Tail, of elements: Range<Int>, _ address: UInt, _ size: UInt
  ) {
    switch tail {
    case .none, .words: break
    case .elements(let column) where column.isPlain: break
    case .elements(let column):
      let end = ArrayRoom.end(at: address, size, column)
      scan(elements.lowerBound, column, in: abi.array.elements..<end, of: address)
    case .ring(let column, _) where column.isPlain: break
    case .ring(let column, let start):
      let slots = RingSlots(at: address, size, column, from: start)
      for stretch in slots?.stretches ?? [] {
        scan(elements.lowerBound, column, in: stretch, of: address)
      }
    case .table(let key, let value, let bitmap):
      guard let buckets = TableBuckets(at: address, size, bitmap: bitmap) else { break }
      let columns = [(abi.table.keys, key), (abi.table.values, value)]
      for (shape, (place, column)) in zip(elements, columns) where !column.isPlain {
        let shape = heap.catalog.shapes[shape]
        buckets.forEachOccupied(place, column) { scan(shape, at: $0, of: address, size, .element) }
      }
    }
  }

  private mutating func scan(
    _ shape: Int, _ column: TypeLayout.Column, in stretch: Range<UInt>, of block: UInt
  ) {
    let shape = heap.catalog.shapes[shape]
    for offset in stride(from: stretch.lowerBound, to: stretch.upperBound, by: Int(column.stride)) {
      scan(shape, at: offset, of: block, stretch.upperBound, .element)
    }
  }

  /// Adds every word between two offsets that is the address of a block.
  ///
  /// - Parameter base: what the offsets count from, and the edges' slots too.
  mutating func scan(
    _ base: UInt, from start: UInt, to end: UInt, kind: EdgeKind,
    ownership: MangledName.Ownership = .strong, code: UInt = 0
  ) {
    guard start < end else { return }
    var offset = (start + 7) & ~7
    while offset + 8 <= end {
      let word = Memory.word(base + offset)
      let target = heap.blocks.index(of: Memory.untagged(word))
      if target >= 0 {
        let before = offset >= 8 ? Memory.word(base + offset - 8) : 0
        add(target, slot: offset, kind: kind, ownership: ownership, before: before, code: code)
      }
      offset += 8
    }
  }

  private mutating func add(
    _ target: Int, slot: UInt, kind: EdgeKind, ownership: MangledName.Ownership, before: UInt,
    code: UInt
  ) {
    let targetKind = heap.kinds[target]
    guard targetKind != .sideTable, targetKind != .metadata else { return }
    if ownership == .pointer, targetKind != .memory { return }
    if kind == .word || kind == .frame, edges.hasRecent(target) {
      if kind == .frame { repeats[target, default: 0] += 1 }
      return
    }
    var kind = kind
    if targetKind == .context, isFunction(before) {
      functions[target] = before
      if kind == .frame, code == 0 { kind = .body }
    }
    if targetKind == .instance, kind != .frame, isFunction(before) {
      closures[edges.count] = before
    }
    edges.add(target, slot: slot, kind: kind, code: code)
  }

  // Half of an error may be written yet.
  private func errorType(at place: UInt) -> UInt? {
    let type = Memory.word(place)
    guard RuntimeTrust.knows(.errors), type & 7 == 0,
      heap.surroundings.segments.contains(type &- abi.metadata.witnesses, count: 16)
    else {
      return nil
    }
    let kinds = [abi.kind.classObject, abi.kind.structure, abi.kind.enumeration]
    return kinds.contains(Memory.word(type)) ? type : nil
  }

  // Code, or for an async function the description of its relative address and its context's size.
  // An object among the globals begins with an address instead, whose upper half is no such size.
  private func isFunction(_ word: UInt) -> Bool {
    let segments = heap.surroundings.segments
    if segments.isCode(word) { return true }
    guard word & 3 == 0, segments.contains(word, count: 8) else { return false }
    let size = Memory.uint32(word + abi.async.contextSize)
    return (16...16_384).contains(size) && size % 16 == 0
      && segments.isCode(Memory.relative(word))
  }

  /// Whether some bytes are in one recorded block or in a loaded image.
  func isKnown(_ address: UInt, _ count: UInt) -> Bool { heap.isKnown(address, count) }
}

extension MangledName.Ownership {
  /// Whether a place of this kind is looked at for strong references.
  var mayKeepAlive: Bool { self == .strong || self == .mixed || self == .pointer }
}
