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
  /// Whether the tail is a `ManagedBuffer`'s whose elements hold no references that count: bytes, say.
  var isTailPlain = false
  /// Where references are in the tail's elements, or in its keys and its values.
  var elements: [ValueShape] = []
  /// The size of the part that the fields describe; the tail begins there.
  var fixedSize: UInt = abi.object.header

  /// A stretch of an object or a context.
  struct Field: Sendable {
    /// The property's name; empty where there is none.
    var name: String
    /// Where it is, in bytes from the block's address.
    var offset: UInt
    /// In bytes.
    var size: UInt
    /// Where in it references are.
    var shape: ValueShape
  }

  /// The tail-allocated part of a block.
  enum Tail: Sendable, Equatable {
    /// Nothing.
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

/// What a property's or a capture's type says about the words in it.
package enum ReferenceOwnership {
  /// Nothing, a number or an actor's queue: no references.
  case none
  /// A side table's address.
  case weak
  /// An object's address that doesn't keep it alive.
  case unowned
  /// Plain data: an address in it may own plain memory, but never an object.
  case pointer
  /// References that keep alive what they refer to.
  case strong
  /// References, some of which may not.
  case mixed

  /// Whether a place of this kind is looked at for strong references.
  var mayKeepAlive: Bool { self == .strong || self == .mixed || self == .pointer }
}
