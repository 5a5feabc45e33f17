package import MemlabHeapModel

/// What is known of the types met so far and asked for every block, by the address of the metadata:
/// numbers only, which needn't be retained.
package final class TypeTable: @unchecked Sendable {
  /// By type.
  private(set) var plans: ContiguousArray<Plan> = []
  /// The places that the plans refer to.
  private(set) var places: ContiguousArray<ValueShape.Part> = []
  /// The enumerations that the plans refer to.
  private(set) var choices: ContiguousArray<ValueShape.Choice> = []
  /// The shapes that the plans refer to.
  private(set) var shapes: ContiguousArray<ValueShape> = []
  private var ids: [UInt: Int32] = [:]

  /// What is the same for all blocks of a type.
  package struct Plan {
    /// What the blocks are.
    let kind: HeapBlockKind
    /// The size of the part that the type describes, in bytes.
    let fixedSize: UInt
    /// What follows that part.
    let tail: BlockTail
    /// How long an element of the tail is whose type has no references that count; zero for other types,
    /// and nil where the tail ends with what was asked of the allocator.
    let plainStride: UInt?
    /// Which of the table's places to look at for references.
    let places: Range<Int>
    /// Which of the table's choices are among the fields.
    let choices: Range<Int>
    /// Which of the table's shapes the elements of the tail have.
    let elements: Range<Int>
    /// Whether its places are words that own what they refer to, and all there is but for the tail.
    let isSimple: Bool
    /// What references in the part that the type describes are.
    let role: EdgeKind
  }

  /// An empty table.
  package init() {}

  /// The type of blocks that begin with `word`; -1 when it is not known.
  package func id(of word: UInt) -> Int32 { ids[word] ?? -1 }

  /// Adds a type.
  ///
  /// - Parameters:
  ///   - metadata: what its blocks begin with.
  ///   - kind: what the blocks are.
  ///   - fixedSize: the size of the part that the type describes, in bytes.
  ///   - tail: what follows that part.
  ///   - plainStride: how long an element of it is whose type has no references that count; zero for other
  ///     types, and nil where the tail ends with what was asked of the allocator.
  ///   - whole: where references are in the part that the type describes.
  ///   - elements: where they are in the elements of the tail.
  /// - Returns: its number: they are given out one after the other, from zero on.
  package func add(
    _ metadata: UInt, kind: HeapBlockKind, fixedSize: UInt, tail: BlockTail, plainStride: UInt?,
    whole: ValueShape, elements: [ValueShape]
  ) -> Int32 {
    let first = (places.count, choices.count, shapes.count)
    places += whole.parts
    choices += whole.choices
    shapes += elements
    let isSimple =
      [.instance, .context].contains(kind) && whole.choices.isEmpty
      && [.none, .words].contains(tail)
      && whole.parts.allSatisfy {
        [.strong, .closure].contains($0.ownership) && $0.size == 8 && $0.offset & 7 == 0
      }
    plans.append(
      Plan(
        kind: kind, fixedSize: fixedSize, tail: tail, plainStride: plainStride,
        places: first.0..<places.count, choices: first.1..<choices.count,
        elements: first.2..<shapes.count, isSimple: isSimple,
        role: kind == .context ? .capture : .field))
    ids[metadata] = Int32(plans.count - 1)
    return Int32(plans.count - 1)
  }

  /// Calls `body` with the stretches of a block that may hold references of any kind.
  ///
  /// - Parameters:
  ///   - region: the block's memory.
  ///   - type: the number of its type; -1 for a block without metadata.
  package func forEachStretchInUse(
    of region: Region, _ type: Int32, _ blocks: BlockList, _ body: (Region) -> Void
  ) {
    guard type >= 0 else { return body(region) }
    let plan = plans[Int(type)]
    plan.tail.forEachStretchInUse(of: blocks.room(region, of: plan), body)
  }
}

/// What each block is: two bytes for each, and a place aside for types beyond the first 65,000.
package struct BlockTypes: Sendable {
  // What a block without a type of its own is, or such a kind's number more than its type.
  private var codes: ContiguousArray<UInt16>
  private var large: [Int: Int32] = [:]
  // By code, for those that are in use.
  private var kinds = ContiguousArray(HeapBlockKind.allCases)
  private let plainKinds = HeapBlockKind.allCases.count

  /// Memory of no known use, all of it.
  init(blocks: Int) {
    let memory = UInt16(HeapBlockKind.allCases.firstIndex(of: .memory) ?? 0)
    codes = ContiguousArray(inLargePages: memory, count: blocks)
  }

  /// How many blocks there are.
  package var count: Int { codes.count }

  /// What a block is.
  @inline(__always)
  package subscript(block: Int) -> HeapBlockKind {
    let code = codes[block]
    return code == .max ? kinds[Int(large[block, default: 0]) + plainKinds] : kinds[Int(code)]
  }

  /// The number of a block's type; -1 for blocks without metadata.
  @inline(__always)
  package func type(of block: Int) -> Int32 {
    let code = codes[block]
    return code == .max ? large[block, default: 0] : max(Int32(code) - Int32(plainKinds), -1)
  }

  /// Notes what a block without a type is.
  mutating func set(_ block: Int, _ kind: HeapBlockKind) {
    codes[block] = UInt16(kinds.firstIndex(of: kind) ?? 0)
  }

  /// Notes the type of a block.
  @inline(__always)
  mutating func set(_ block: Int, type: Int32, in table: TypeTable) {
    let code = Int(type) + plainKinds
    while kinds.count <= code { kinds.append(table.plans[kinds.count - plainKinds].kind) }
    codes[block] = UInt16(clamping: code)
    if code >= UInt16.max { large[block] = type }
  }

  /// The instances of some types.
  ///
  /// - Parameter isWanted: by type.
  package func instances(of isWanted: [Bool]) -> [Int] {
    codes.indices.filter { self[$0].isInstance && isWanted[Int(type(of: $0))] }
  }

  /// How many instances there are of each type.
  ///
  /// - Parameters:
  ///   - types: how many types there are.
  package func instances(ofEach types: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: types)
    for block in codes.indices where self[block].isInstance { counts[Int(type(of: block))] += 1 }
    return counts
  }
}
