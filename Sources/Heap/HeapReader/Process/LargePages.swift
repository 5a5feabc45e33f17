import Glibc
import MemlabHeapModel

/// Memory that the kernel hands out in large pages, where it does.
///
/// A third of a process's first snapshot of a million objects is page faults when the pages have
/// 4 KiB. Linux gives pages of 2 MiB on request, where
/// `/sys/kernel/mm/transparent_hugepage/enabled` is `madvise` or `always`; elsewhere, and where none
/// are left, nothing changes.
enum LargePages {
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
