import MemlabHeapModel
import MemlabRuntimeABI

/// The layouts met so far, by the address of the metadata.
///
/// Metadata lives as long as the process, so the catalogue outlives the snapshots. It refers to
/// metadata only, never to objects.
struct TypeCatalog {
  /// The layouts, by the numbers that ``id(of:_:)`` gives.
  private(set) var layouts: [TypeLayout] = []
  /// What of each layout is asked for every block: numbers only, which needn't be retained.
  private(set) var plans: ContiguousArray<Plan> = []
  /// The places that the plans refer to.
  private(set) var places: ContiguousArray<Place> = []
  /// The enumerations that the plans refer to.
  private(set) var choices: ContiguousArray<ValueShape.Choice> = []
  /// The shapes that the plans refer to.
  private(set) var shapes: ContiguousArray<ValueShape> = []

  /// What is the same for all blocks of a layout.
  struct Plan {
    /// What the blocks are.
    var kind: HeapBlockKind
    /// The size of the part that the type describes, in bytes.
    var fixedSize: UInt
    /// What follows that part.
    var tail: TypeLayout.Tail
    /// Whether that holds no references that count, as far as its type tells.
    var isTailPlain: Bool
    /// Which of the catalogue's places to look at for references.
    var places: Range<Int>
    /// Which of the catalogue's choices are among the fields.
    var choices: Range<Int>
    /// Which of the catalogue's shapes the elements of the tail have.
    var elements: Range<Int>
  }

  /// A field that may hold references.
  struct Place {
    /// Where it begins, in bytes from the block's address.
    var offset: UInt
    /// Where it ends.
    var end: UInt
    /// How it refers to objects.
    var ownership: ReferenceOwnership
  }
  private var ids: [UInt: Int32] = [:]
  private var lastWord: UInt = 0
  private var lastID: Int32 = -1

  /// Forgets the last word. It may be an object's address, and the catalogue is a global variable:
  /// a search for roots would find it there.
  mutating func forgetLastWord() { lastWord = 0 }

  /// The layout of blocks that begin with `word`; -1 when it isn't the address of heap metadata.
  mutating func id(of word: UInt, _ memory: ProcessMemory) -> Int32 {
    guard word & 7 == 0, Region.isAddress(word) else { return -1 }
    if word == lastWord { return lastID }
    lastWord = word
    lastID = ids[word] ?? -1
    if lastID >= 0 { return lastID }
    guard let layout = try? Self.layout(word, memory) else { return -1 }
    lastID = Int32(layouts.count)
    ids[word] = lastID
    add(layout)
    return lastID
  }

  private mutating func add(_ layout: TypeLayout) {
    let first = (places.count, choices.count, shapes.count)
    var whole = ValueShape()
    for field in layout.fields { whole.add(field.shape, at: field.offset, size: field.size) }
    for part in whole.parts {
      let end = part.offset + part.size
      places.append(Place(offset: part.offset, end: end, ownership: part.ownership))
    }
    choices += whole.choices
    shapes += layout.elements
    layouts.append(layout)
    plans.append(
      Plan(
        kind: layout.kind, fixedSize: layout.fixedSize, tail: layout.tail,
        isTailPlain: layout.isTailPlain, places: first.0..<places.count,
        choices: first.1..<choices.count, elements: first.2..<shapes.count))
  }

  private static func layout(
    _ metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> TypeLayout? {
    let destroyer = try memory.word(metadata &- abi.metadata.destroyer)
    guard memory.segments.isCode(destroyer) else { return nil }
    let isStatic = memory.segments.contains(metadata, count: 24)
    switch try memory.word(metadata) {
    case abi.kind.classObject:
      return try ClassReader.layout(metadata, memory)
    case abi.kind.context where isStatic:
      return ContextReader.layout(metadata, memory)
    case abi.kind.genericBox:
      return try box(metadata, memory)
    case abi.kind.error where isStatic:
      return TypeLayout(kind: .error, tail: .words)
    default:
      return nil
    }
  }

  // The only heap metadata besides a class's that is made at run time: it says where in the box
  // the value is, and of which type it is.
  private static func box(
    _ metadata: UInt, _ memory: ProcessMemory
  ) throws(Unreadable) -> TypeLayout? {
    guard RuntimeTrust.knows(.boxes) else { return TypeLayout(kind: .context, tail: .words) }
    let offset = UInt(try memory.uint32(metadata &+ abi.box.offset))
    let type = try memory.word(metadata &+ abi.box.type)
    guard (abi.object.header...4096).contains(offset), memory.isType(type) else { return nil }
    let size = try ValueWitnesses(metadata: type, memory).size
    guard size > 0 else { return TypeLayout(kind: .context, tail: .words) }
    let field = TypeLayout.Field(
      name: "", offset: offset, size: size, shape: ValueShape(of: type, memory))
    return TypeLayout(kind: .context, fields: [field], fixedSize: offset + size)
  }
}
