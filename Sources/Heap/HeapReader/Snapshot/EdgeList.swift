import MemlabHeapModel

/// How a reference was found; from the most to the least trustworthy.
enum EdgeKind: UInt8 {
  /// A stored property.
  case field
  /// An array's element, a dictionary's key or value.
  case element
  /// A capture of a closure, or a boxed variable.
  case capture
  /// The closure that a task runs.
  case body
  /// The result of a finished task.
  case result
  /// A task's own slab.
  case slab
  /// The value that a task-local variable has in a task.
  case taskLocal
  /// A stored property, an element or a capture of a type that may have references among its own
  /// that keep nothing alive. That it is one of those, only the counts tell.
  case mixedField, mixedElement, mixedCapture
  /// A word of memory whose use isn't known.
  case word
  /// A slot of a task's frame. May be the slot of a variable that is dead already.
  case frame
  /// Crossed out: more references were found than the object has, or it is a slot of a frame of the
  /// library that runs tests.
  case stale

  /// References whose ownership is not known: only the reference counts show whether they are strong.
  static let mixed: [EdgeKind] = [.mixedCapture, .mixedElement, .mixedField]

  /// Whether only the reference counts show if it is strong.
  var isMixed: Bool { Self.mixed.contains(self) }
}

/// The strong references between blocks, grouped by the block that holds them.
///
/// Flat arrays: 9 bytes for a reference and 4 for a block.
struct EdgeList: Sendable {
  /// Where each block's references begin; one more entry than there are blocks.
  private(set) var starts: ContiguousArray<UInt32>
  /// The blocks referred to.
  private(set) var targets: ContiguousArray<UInt32>
  /// Offsets into the holder; into the frame's context for slots of frames.
  private(set) var slots: ContiguousArray<UInt32>
  /// How each reference was found.
  var kinds: ContiguousArray<EdgeKind>
  /// The code beside a reference, by the reference's index: the function of a frame.
  private(set) var code: [Int: UInt] = [:]
  private var found: UInt16 = 0

  /// An empty list with room for about one reference per block.
  init(blocks: Int) {
    starts = ContiguousArray(withRoomFor: blocks + 1)
    targets = ContiguousArray(withRoomFor: blocks)
    slots = ContiguousArray(withRoomFor: blocks)
    kinds = ContiguousArray(withRoomFor: blocks)
    starts.append(0)
  }

  /// How many references there are.
  var count: Int { targets.count }

  /// The references that a block holds.
  func edges(of block: Int) -> Range<Int> { Int(starts[block])..<Int(starts[block + 1]) }

  /// Adds a reference of the block at hand.
  mutating func add(_ target: Int, slot: UInt, kind: EdgeKind, code address: UInt = 0) {
    if address != 0 { code[count] = address }
    targets.append(UInt32(target))
    slots.append(UInt32(truncatingIfNeeded: slot))
    kinds.append(kind)
    found |= 1 << kind.rawValue
  }

  /// Whether a reference of this kind was found.
  func has(_ kind: EdgeKind) -> Bool { found >> kind.rawValue & 1 == 1 }

  /// Whether the block at hand is known to refer to `target` already, in what is not crossed out.
  /// Looks at the latest 64.
  func hasRecent(_ target: Int) -> Bool {
    let start = max(Int(starts[starts.count - 1]), count - 64)
    return (start..<count).contains { targets[$0] == UInt32(target) && kinds[$0] != .stale }
  }

  /// Ends the block at hand.
  mutating func endBlock() { starts.append(UInt32(count)) }
}
