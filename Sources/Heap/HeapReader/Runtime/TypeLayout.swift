import MemlabHeapModel
import MemlabRuntimeABI

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
