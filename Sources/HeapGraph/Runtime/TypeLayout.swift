/// What is known of all blocks that begin with the same metadata.
struct TypeLayout: Sendable {
  /// What such a block is.
  var kind: HeapBlockKind
  /// The class's qualified name; empty for contexts.
  var name = ""
  /// Where to look for references, and what each place is called.
  var fields: [Field] = []
  /// What follows the fields.
  var tail = Tail.none
  /// Where references are in the tail's elements, or in its keys and its values.
  var elements: [ValueShape] = []
  /// The size of the part that the fields describe; the tail begins there.
  var fixedSize: UInt = 16

  /// A stretch of an object or a context.
  struct Field: Sendable {
    var name: String
    var offset: UInt
    var size: UInt
    var shape: ValueShape
  }

  /// The tail-allocated part of a block.
  enum Tail: Sendable, Equatable {
    case none
    /// Anything: every word may be a reference.
    case words
    /// An array's elements; their number is in the word at byte 16.
    case elements(Column)
    /// The slots of a queue, from an offset on; those that hold elements follow one another, and go
    /// on at the first after the last.
    case ring(Column, from: UInt)
    /// A hash table's occupied buckets; keys and values are arrays of their own.
    case table(key: Column, value: Column, bitmap: UInt)
  }

  /// Values of one type, one after the other.
  struct Column: Sendable, Equatable {
    /// The distance between two of them, in bytes.
    var stride: UInt
    /// Whether they hold no references that count.
    var isPlain: Bool
  }

  /// The field that an offset lies in.
  func field(at offset: UInt) -> Field? {
    fields.first { $0.offset <= offset && offset < $0.offset + $0.size }
  }
}

extension ContiguousArray<Int32> {
  /// Which layouts, of those that these blocks have, are instances of some classes.
  ///
  /// Only these are asked for their names: the catalogue of a process has hundreds of layouts, the
  /// heap of a trial has a dozen.
  ///
  /// - Parameters:
  ///   - types: qualified names.
  ///   - layouts: the catalogue's.
  /// - Returns: by layout, whether blocks have it and it is one of these classes.
  func instances(of types: Set<String>, among layouts: [TypeLayout]) -> [Bool] {
    var isMet = [Bool](repeating: false, count: layouts.count)
    if types.isEmpty { return isMet }
    for layout in self where layout >= 0 { isMet[Int(layout)] = true }
    for layout in layouts.indices where isMet[layout] {
      isMet[layout] = layouts[layout].kind == .instance && types.contains(layouts[layout].name)
    }
    return isMet
  }
}

/// The layouts met so far, by the address of the metadata.
///
/// Metadata lives as long as the process, so the catalogue outlives the snapshots. It refers to
/// metadata only, never to objects.
struct TypeCatalog {
  /// The layouts, by the numbers that ``id(of:blocks:surroundings:)`` gives.
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
    var kind: HeapBlockKind
    var fixedSize: UInt
    var tail: TypeLayout.Tail
    /// Which of the catalogue's places to look at for references.
    var places: Range<Int>
    /// Which of the catalogue's choices are among the fields.
    var choices: Range<Int>
    /// Which of the catalogue's shapes the elements of the tail have.
    var elements: Range<Int>
  }

  /// A field that may hold references.
  struct Place {
    var offset: UInt
    var end: UInt
    var ownership: MangledName.Ownership
  }
  private var ids: [UInt: Int32] = [:]
  private var lastWord: UInt = 0
  private var lastID: Int32 = -1

  /// Forgets the last word. It may be an object's address, and the catalogue is a global variable:
  /// a search for roots would find it there.
  mutating func forgetLastWord() { lastWord = 0 }

  /// The layout of blocks that begin with `word`; -1 when it isn't the address of heap metadata.
  mutating func id(
    of word: UInt, blocks: BlockList, surroundings: inout Surroundings
  ) -> Int32 {
    guard word & 7 == 0, Memory.isAddress(word) else { return -1 }
    if word == lastWord { return lastID }
    lastWord = word
    lastID = ids[word] ?? -1
    if lastID >= 0 { return lastID }
    guard let layout = Self.layout(word, blocks, &surroundings) else { return -1 }
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
        places: first.0..<places.count, choices: first.1..<choices.count,
        elements: first.2..<shapes.count))
  }

  private static func layout(
    _ metadata: UInt, _ blocks: BlockList, _ surroundings: inout Surroundings
  ) -> TypeLayout? {
    let front = RuntimeLayout.ClassMetadata.destroyer
    guard surroundings.canRead(metadata - front, count: front + 24, blocks: blocks),
      surroundings.segments.isCode(Memory.word(metadata - front))
    else { return nil }
    let isStatic = surroundings.segments.contains(metadata, count: 24)
    switch Memory.word(metadata) {
    case RuntimeLayout.Kind.classObject:
      return ClassReader.layout(metadata, blocks, &surroundings)
    case RuntimeLayout.Kind.context where isStatic:
      return ContextReader.layout(metadata, surroundings)
    case RuntimeLayout.Kind.genericBox where isBox(metadata, blocks, &surroundings):
      return box(metadata)
    case RuntimeLayout.Kind.error where isStatic:
      return TypeLayout(kind: .error, tail: .words)
    default:
      return nil
    }
  }

  private static func box(_ metadata: UInt) -> TypeLayout {
    let (offset, type) = (UInt(Memory.half(metadata + 8)), Memory.word(metadata + 16))
    let size = ValueWitnesses(metadata: type).size
    guard size > 0 else { return TypeLayout(kind: .context, tail: .words) }
    let field = TypeLayout.Field(name: "", offset: offset, size: size, shape: ValueShape(of: type))
    return TypeLayout(kind: .context, fields: [field], fixedSize: offset + size)
  }

  // The only heap metadata besides a class's that is made at run time: it says where in the box
  // the value is, and of which type it is.
  private static func isBox(
    _ metadata: UInt, _ blocks: BlockList, _ surroundings: inout Surroundings
  ) -> Bool {
    let type = Memory.word(metadata + 16)
    return (16...4096).contains(Memory.half(metadata + 8)) && type & 7 == 0
      && surroundings.canRead(type &- 8, count: 16, blocks: blocks)
  }
}
