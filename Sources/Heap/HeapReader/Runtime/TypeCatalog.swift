package import MemlabHeapModel
import MemlabRuntimeABI

/// The layouts met so far, by the address of the metadata.
///
/// Metadata lives as long as the process, so the catalogue outlives the snapshots. It refers to
/// metadata only, never to objects.
struct TypeCatalog {
  /// The layouts, by the numbers that ``read(_:_:)`` gives.
  private(set) var layouts: [TypeLayout] = []
  /// What of each layout is asked for every block.
  let table = TypeTable()
  /// The shapes of the types in them.
  let shapes = KnownShapes()

  /// Adds the layout of blocks that begin with `word`.
  ///
  /// - Returns: its number; -1 when the word isn't the address of heap metadata.
  mutating func read(_ word: UInt, _ memory: ProcessMemory) -> Int32 {
    guard let layout = try? memory.layout(word) else { return -1 }
    layouts.append(layout)
    var whole = ValueShape()
    for field in layout.fields { whole.add(field.shape, at: field.offset, size: field.size) }
    return table.add(
      word, kind: layout.kind, fixedSize: layout.fixedSize, tail: layout.tail,
      plainStride: layout.plainStride, whole: whole, elements: layout.elements)
  }
}

extension ProcessMemory {
  fileprivate func layout(_ metadata: UInt) throws(Unreadable) -> TypeLayout? {
    guard segments.isCode(try word(metadata &- abi.metadata.destroyer)) else { return nil }
    let isStatic = (try? image(at: metadata, count: 24)) != nil
    switch try word(metadata) {
    case abi.kind.classObject: return try classLayout(metadata)
    case abi.kind.context where isStatic: return contextLayout(metadata)
    case abi.kind.genericBox: return try boxLayout(metadata)
    case abi.kind.error where isStatic: return TypeLayout(kind: .error, tail: .words)
    default: return nil
    }
  }

  // The only heap metadata besides a class's that is made at run time: it says where in the box
  // the value is, and of which type it is.
  private func boxLayout(_ metadata: UInt) throws(Unreadable) -> TypeLayout? {
    guard RuntimeTrust.knows(.boxes) else { return TypeLayout(kind: .context, tail: .words) }
    let offset = UInt(try uint32(metadata &+ abi.box.offset))
    let type = try word(metadata &+ abi.box.type)
    guard (abi.object.header...4096).contains(offset), isType(type) else { return nil }
    let size = try ValueWitnesses(metadata: type, self).size
    guard size > 0 else { return TypeLayout(kind: .context, tail: .words) }
    let field = TypeLayout.Field(
      name: "", offset: offset, size: size, shape: shape(of: type), type: type)
    return TypeLayout(kind: .context, fields: [field], fixedSize: offset + size)
  }
}

/// What is known of all blocks that begin with the same metadata.
package struct TypeLayout: Sendable {
  /// What such a block is.
  package var kind: HeapBlockKind
  /// The class's qualified name; empty for contexts.
  package var name = ""
  /// Where to look for references, and what each place is called.
  var fields: [Field] = []
  /// What follows the fields.
  package var tail = BlockTail.none
  /// How long an element of a `ManagedBuffer` is whose type has no references that count, such as a byte;
  /// zero for other types, and nil where the tail ends with what was asked of the allocator.
  var plainStride: UInt?
  /// Where references are in the tail's elements, or in its keys and its values.
  var elements: [ValueShape] = []
  /// Where a class has the one property of its own optional type; nil where it has none, or several.
  var ownLink: UInt?
  /// The size of the part that the fields describe; the tail begins there.
  package var fixedSize: UInt = abi.object.header

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
    /// Where the metadata of its type is; zero where that is not known.
    var type: UInt = 0
  }

  /// Whether it is the layout of a class from outside some modules.
  package func isOfClass(outside modules: Set<String>) -> Bool {
    kind == .instance && !modules.contains(String(name.prefix { $0 != "." }))
  }

  /// The field that an offset lies in.
  func field(at offset: UInt) -> Field? {
    fields.first { $0.offset <= offset && offset < $0.offset + $0.size }
  }
}
