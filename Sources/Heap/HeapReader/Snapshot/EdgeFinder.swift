import CMemlabProcess
import MemlabHeapModel
import MemlabRuntimeABI

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
  /// The references in memory of unknown use that stand behind a function: to the context that it is
  /// called with.
  private(set) var calls: Set<Int> = []
  /// The references among elements whose type has none, such as bytes.
  private(set) var unlikely: [Range<Int>] = []
  /// Where the metadata of an error's type is, by the error's block, unless it was made at run time.
  private(set) var errorTypes: [Int: UInt] = [:]
  /// How many slots of frames were left out because the frame's task refers to the block already.
  private(set) var repeats: [Int: Int32] = [:]
  /// The tasks that are blocks of their own, by block.
  var tasks: [Int: HeapTask] = [:]
  /// The tasks of `async let`, by address.
  var children: [UInt: HeapTask] = [:]
  /// What `Any`s and other existential containers are filled with.
  var containers = ExistentialContainers()
  /// The code of frames whose slots are not read.
  let skipped: Set<UInt>
  private let addressBits = abi.reference.addressBits
  // Addresses at which nothing is loaded: those below all segments, and those around the latest word
  // that was no function's address.
  private let lowGap: Range<UInt>
  private var latestGap: Range<UInt> = 0..<0

  /// Looks into all blocks.
  init(heap: Classifier, skippingFramesOf skipped: Set<UInt> = []) {
    self.heap = heap
    self.skipped = skipped
    lowGap = heap.memory.segments.gap(around: 0)
    edges = EdgeList(blocks: self.heap.blocks.count)
    for block in 0..<self.heap.blocks.count {
      find(in: block)
      edges.endBlock()
    }
  }

  private mutating func find(in block: Int) {
    let region = heap.blocks.region(block)
    switch heap.kinds[block] {
    case .instance, .buffer, .context: findByLayout(block)
    case .error:
      scan(region, from: abi.error.type, to: region.count, kind: .word)
      errorTypes[block] = errorType(in: region)
    case .memory where heap.blocks.isSpentRedirection(block, heap.memory.segments): break
    case .memory: scan(region, from: 0, to: region.count, kind: .word)
    case .task: findInTask(block)
    case .taskSlab, .sideTable, .metadata: break
    }
  }

  private mutating func findByLayout(_ block: Int) {
    let plan = heap.catalog.plans[Int(heap.layouts[block])]
    let region = heap.blocks.room(block, of: plan.kind, behind: plan.fixedSize)
    let size = region.count
    let role: ValueRole = plan.kind == .context ? .capture : .field
    for index in plan.places {
      let place = heap.catalog.places[index]
      scan(
        region, from: place.offset, to: min(place.end, size), kind: role.kind(place.ownership),
        ownership: place.ownership)
    }
    for index in plan.choices {
      scan(heap.catalog.choices[index], at: 0, of: region, size, role)
    }
    if case .words = plan.tail {
      let kind: EdgeKind = plan.kind == .context ? .mixedCapture : .word
      let first = edges.count
      scan(region, from: plan.fixedSize, to: size, kind: kind)
      if plan.isTailPlain { unlikely.append(first..<edges.count) }
    } else {
      find(in: plan.tail, of: plan.elements, region)
    }
  }

  private mutating func find(
    in tail: TypeLayout.Tail, of elements: Range<Int>, _ region: Region
  ) {
    switch tail {
    case .none, .words: break
    case .elements(let column) where column.isPlain: break
    case .elements(let column):
      let end = ArrayRoom.end(in: region, column)
      scan(elements.lowerBound, column, in: abi.array.elements..<end, of: region)
    case .ring(let column, _) where column.isPlain: break
    case .ring(let column, let start):
      let slots = RingSlots(in: region, column, from: start)
      for stretch in slots?.stretches ?? [] {
        scan(elements.lowerBound, column, in: stretch, of: region)
      }
    case .table(let key, let value, let bitmap):
      guard let buckets = TableBuckets(in: region, bitmap: bitmap) else { break }
      let columns = [(abi.table.keys, key), (abi.table.values, value)]
      for (shape, (place, column)) in zip(elements, columns) where !column.isPlain {
        let shape = heap.catalog.shapes[shape]
        buckets.forEachOccupied(place, column) {
          scan(shape, at: $0, of: region, region.count, .element)
        }
      }
    }
  }

  private mutating func scan(
    _ shape: Int, _ column: TypeLayout.Column, in stretch: Range<UInt>, of region: Region
  ) {
    guard column.stride > 0 else { return }
    let shape = heap.catalog.shapes[shape]
    for offset in stride(from: stretch.lowerBound, to: stretch.upperBound, by: Int(column.stride)) {
      scan(shape, at: offset, of: region, stretch.upperBound, .element)
    }
  }

  /// Adds every word between two offsets that is the address of a block.
  ///
  /// - Parameters:
  ///   - region: what the words lie in.
  ///   - base: what the offsets count from, and the edges' slots too; nil for the region's start.
  mutating func scan(
    _ region: Region, at base: UInt? = nil, from start: UInt, to end: UInt, kind: EdgeKind,
    ownership: ReferenceOwnership = .strong, code: UInt = 0
  ) {
    guard start < end else { return }
    let base = base ?? region.start
    region.forEachWord(from: base &+ start, to: base &+ end) { place, word in
      let target = heap.blocks.index(of: word & addressBits)
      guard target >= 0 else { return }
      if kind.isMixed, isUnusedRoom(at: place, in: region, from: base &+ start) { return }
      let before = place == base ? 0 : region.word(at: place &- 8) ?? 0
      let isLocal = kind == .frame && isTaskLocal(at: place, type: before, in: region)
      let kind = isLocal ? EdgeKind.taskLocal : kind
      add(
        target, slot: place - base, kind: kind, ownership: ownership, before: before, code: code)
    }
  }

  private mutating func add(
    _ target: Int, slot: UInt, kind: EdgeKind, ownership: ReferenceOwnership, before: UInt,
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
    if targetKind == .context || targetKind == .instance && kind != .frame, isFunction(before) {
      if kind == .word { calls.insert(edges.count) }
      if targetKind == .instance {
        closures[edges.count] = before
      } else {
        // What stands before a leftover may be anything.
        let isSure = kind != .word && kind != .frame
        if isSure || functions[target] == nil { functions[target] = before }
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
      guard block >= 0, heap.kinds[block] == .instance else { return false }
      let instance = heap.blocks.region(block)
      return instance.word(at: instance.start) == type
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
      return heap.memory.segments.segment(at: key)?.is_writable == 1 && heap.memory.isType(type)
    }
    let layout = heap.layouts[block]
    return layout >= 0 && heap.memory.isType(type)
      && heap.catalog.layouts[Int(layout)].name.hasPrefix(abi.task.localType)
  }

  // The error may be only partly written.
  private func errorType(in region: Region) -> UInt? {
    guard RuntimeTrust.knows(.errors),
      let type = region.word(at: region.start + abi.error.type), heap.memory.isType(type),
      let kind = try? heap.memory.word(type)
    else { return nil }
    let kinds = [abi.kind.classObject, abi.kind.structure, abi.kind.enumeration]
    return kinds.contains(kind) ? type : nil
  }

  private mutating func isFunction(_ word: UInt) -> Bool {
    // Before most references stands a count or another reference: a small number, or an address
    // between the same two segments as the one before it.
    guard !lowGap.contains(word), !latestGap.contains(word) else { return false }
    let segments = heap.memory.segments
    guard let segment = segments.segment(at: word) else {
      latestGap = segments.gap(around: word)
      return false
    }
    return segments.isFunction(word, in: segment)
  }
}
