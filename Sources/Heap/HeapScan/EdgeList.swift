/// How a reference was found; from the most to the least trustworthy.
package enum EdgeKind: UInt8, Sendable {
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

  /// The same of a property, an element or a capture whose type may have references that keep nothing
  /// alive.
  var ifMixed: EdgeKind {
    self == .field ? .mixedField : self == .element ? .mixedElement : .mixedCapture
  }

  /// Whether only the reference counts show if it is strong.
  var isMixed: Bool { self == .mixedCapture || self == .mixedElement || self == .mixedField }
}

/// The strong references between blocks, grouped by the block that holds them.
///
/// Flat arrays: 8 bytes for a reference and 4 for a block.
package struct EdgeList: Sendable {
  /// Where each block's references begin; one more entry than there are blocks.
  private var starts: ContiguousArray<UInt32>
  // Of each reference the block referred to, above that in four bits how it was found, and in the upper half
  // the offset into the holder; into the frame's context for slots of frames.
  private var entries: ContiguousArray<UInt64>
  /// The code beside a reference, by the reference's index: the function of a frame.
  package private(set) var code: [Int: UInt] = [:]
  private var found: UInt16 = 0
  private static let targetBits: UInt64 = 28

  /// An empty list with room for about one reference per block.
  init(blocks: Int) {
    starts = ContiguousArray(withRoomFor: blocks + 1)
    entries = ContiguousArray(withRoomFor: blocks)
    starts.append(0)
  }

  /// How many references there are.
  package var count: Int { entries.count }

  /// The references that a block holds.
  @inline(__always)
  package func edges(of block: Int) -> Range<Int> { Int(starts[block])..<Int(starts[block + 1]) }

  /// The block that holds a reference.
  package func holder(of edge: Int) -> Int { starts.indices.end { Int(starts[$0]) <= edge } - 1 }

  /// The block that a reference leads to.
  @inline(__always)
  package func target(_ edge: Int) -> Int { Int(entries[edge] & (1 << Self.targetBits - 1)) }

  /// How a reference was found.
  @inline(__always)
  package func kind(_ edge: Int) -> EdgeKind {
    unsafeBitCast(UInt8(entries[edge] >> Self.targetBits & 15), to: EdgeKind.self)
  }

  /// Whether a reference was crossed out.
  @inline(__always)
  package func isStale(_ edge: Int) -> Bool { kind(edge) == .stale }

  /// Where in its holder a reference is, in bytes.
  package func slot(_ edge: Int) -> UInt { UInt(entries[edge] >> 32) }

  /// The blocks that a block refers to, those crossed out not included.
  package func targets(of block: Int) -> [Int] {
    edges(of: block).compactMap { isStale($0) ? nil : target($0) }
  }

  /// The slabs of a task.
  package func slabs(of task: Int) -> [Int] {
    edges(of: task).compactMap { kind($0) == .slab ? target($0) : nil }
  }

  /// Some blocks and all that they lead to, besides what is marked.
  ///
  /// - Parameters:
  ///   - isMarked: by block; those that were found are marked, too.
  ///   - stops: blocks that the search does not enter.
  package func spread(
    from start: [Int], marking isMarked: inout [Bool], stoppingAt stops: Set<Int> = []
  ) -> [Int] {
    var queue: [Int] = []
    for block in start where !isMarked[block] {
      isMarked[block] = true
      queue.append(block)
    }
    var next = 0
    while next < queue.count {
      for edge in edges(of: queue[next]) where !isStale(edge) {
        guard !isMarked[target(edge)], !stops.contains(target(edge)) else { continue }
        isMarked[target(edge)] = true
        queue.append(target(edge))
      }
      next += 1
    }
    return queue
  }

  /// Adds a reference of the block at hand.
  @inline(__always)
  mutating func add(_ target: Int, slot: UInt, kind: EdgeKind, code address: UInt = 0) {
    if address != 0 { code[count] = address }
    entries.append(UInt64(slot) << 32 | UInt64(kind.rawValue) << Self.targetBits | UInt64(target))
    found |= 1 << kind.rawValue
  }

  /// Crosses a reference out.
  mutating func crossOut(_ edge: Int) {
    entries[edge] &= ~(15 << Self.targetBits)
    entries[edge] |= UInt64(EdgeKind.stale.rawValue) << Self.targetBits
  }

  /// Whether a reference of this kind was found.
  func has(_ kind: EdgeKind) -> Bool { found >> kind.rawValue & 1 == 1 }

  /// Whether the block at hand is known to refer to `target` already, in what is not crossed out.
  /// Looks at the latest 64.
  func hasRecent(_ target: Int) -> Bool {
    let start = max(Int(starts[starts.count - 1]), count - 64)
    return (start..<count).contains { self.target($0) == target && !isStale($0) }
  }

  /// Ends the block at hand.
  mutating func endBlock() { starts.append(UInt32(count)) }
}
