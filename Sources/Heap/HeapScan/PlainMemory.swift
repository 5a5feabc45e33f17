import Glibc

/// Memory that the kernel hands out in large pages, where it does.
///
/// A third of a process's first snapshot of a million objects is page faults when the pages have
/// 4 KiB. Linux gives pages of 2 MiB on request, where
/// `/sys/kernel/mm/transparent_hugepage/enabled` is `madvise` or `always`; elsewhere, and where none
/// are left, nothing changes.
private enum LargePages {
  // The kernel places areas of this size next to each other, so they may share a large page.
  private static let smallest = 512 << 10

  /// Asks for large pages under memory that has not been written to.
  static func ask(for memory: UnsafeMutableRawBufferPointer) {
    guard memory.count >= smallest, let base = memory.baseAddress else { return }
    let page = sysconf(Int32(_SC_PAGESIZE))
    // The pages at both ends too: areas that lie next to each other then share a large page.
    let start = Int(bitPattern: base) / page * page
    let end = (Int(bitPattern: base) + memory.count + page - 1) / page * page
    // If the kernel refuses, the memory has small pages, and nothing else changes.
    _ = madvise(UnsafeMutableRawPointer(bitPattern: start), end - start, MADV_HUGEPAGE)
  }
}

/// Plain values one after the other, which the owner frees.
struct PlainList<Element: BitwiseCopyable> {
  /// The first value.
  private(set) var base: UnsafeMutablePointer<Element>
  /// How many values there are.
  private(set) var count = 0
  private var capacity: Int

  /// An empty list, with memory for some values.
  init(withRoomFor capacity: Int) {
    (base, self.capacity) = (.allocate(capacity: capacity), capacity)
    LargePages.ask(for: UnsafeMutableRawBufferPointer(start: base, count: bytes))
  }

  private var bytes: Int { capacity * MemoryLayout<Element>.stride }

  /// Frees the memory.
  func deallocate() { base.deallocate() }

  /// Adds a value.
  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(to: capacity * 2) }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Replaces all values by as many equal ones.
  mutating func fill(with element: Element, count: Int) {
    if count > capacity { grow(to: count) }
    base.initialize(repeating: element, count: count)
    self.count = count
  }

  private mutating func grow(to capacity: Int) {
    var larger = Self(withRoomFor: capacity)
    larger.base.moveInitialize(from: base, count: count)
    larger.count = count
    deallocate()
    self = larger
  }
}

extension ContiguousArray {
  /// An empty array with room for `capacity` elements, in large pages when that is a lot.
  init(withRoomFor capacity: Int) {
    self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
      LargePages.ask(for: UnsafeMutableRawBufferPointer(buffer))
      count = 0
    }
  }

  /// `count` times the same element, in large pages when that is a lot.
  init(inLargePages element: Element, count: Int) {
    self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
      LargePages.ask(for: UnsafeMutableRawBufferPointer(buffer))
      buffer.initialize(repeating: element)
      initialized = count
    }
  }
}

/// A count for each block, nearly all of them small: four bits for each, and a place aside for the few
/// that need more.
package struct SmallCounts: Sendable {
  private var bytes: ContiguousArray<UInt8>
  private var large: [Int: Int32] = [:]
  private static let isLarge: UInt8 = 15

  /// Zero for every block.
  init(blocks: Int) { bytes = ContiguousArray(inLargePages: 0, count: blocks / 2 + 1) }

  /// Counts what references lead to, those crossed out not included.
  mutating func count(_ edges: EdgeList) {
    var others: [Int] = []
    bytes.withUnsafeMutableBufferPointer { bytes in
      for edge in 0..<edges.count where !edges.isStale(edge) {
        let target = edges.target(edge)
        let shift = UInt8(target & 1) << 2
        if bytes[target >> 1] >> shift & 15 < Self.isLarge - 1 {
          bytes[target >> 1] += 1 << shift
        } else {
          others.append(target)
        }
      }
    }
    for target in others { self[target] += 1 }
  }

  /// The count of a block, zero or more.
  @inline(__always)
  package subscript(block: Int) -> Int32 {
    get {
      let count = bytes[block >> 1] >> (UInt8(block & 1) << 2) & 15
      return count == Self.isLarge ? large[block, default: 0] : Int32(count)
    }
    set {
      let shift = UInt8(block & 1) << 2
      let count = newValue < Self.isLarge ? UInt8(newValue) : Self.isLarge
      let neighbour: UInt8 = bytes[block >> 1] & ~(15 << shift)
      bytes[block >> 1] = neighbour | count << shift
      if count == Self.isLarge { large[block] = newValue }
    }
  }
}

extension [UInt64] {
  /// The places of these keys in the order of the keys, equal ones one after the other. What is sorted
  /// here is sorted by it: the compiler takes half a second for each kind of element.
  package var placesInOrder: [Int] { indices.sorted { (self[$0], $0) < (self[$1], $1) } }
}
