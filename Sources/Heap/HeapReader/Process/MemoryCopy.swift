import CMemlabProcess
import MemlabHeapModel

/// Memory that the kernel copies, because nothing else has proven that it can be read.
package enum MemoryCopy {
  /// Two neighbouring words, or nil when any of their bytes can't be read.
  ///
  /// - Parameter address: any; one that isn't aligned to a word counts as unreadable.
  static func pair(at address: UInt) -> (first: UInt, second: UInt)? {
    var words: (UInt, UInt) = (0, 0)
    guard address & 7 == 0, memory_copy(address, &words, 16) == 1 else { return nil }
    return words
  }

  /// Whether some bytes can be read; nil when the kernel doesn't tell, or is not asked because there
  /// are more than 4096.
  static func isReadable(_ address: UInt, count: UInt) -> Bool? {
    guard count <= 4096 else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { copy in
      let answer = memory_copy(address, copy.baseAddress, Int(count))
      return answer < 0 ? nil : answer == 1
    }
  }

  /// Calls `body` with copies of some memory, one part after the other, up to the first byte that
  /// cannot be read: a thread that ends takes its stack with it, and the guard of the next thread's
  /// stack may lie in the same mapping.
  ///
  /// - Parameter range: begins at a multiple of eight.
  /// - Returns: whether its first byte can be read.
  package static func readUpToGap(_ range: Range<UInt>, _ body: (Region) -> Void) -> Bool {
    let size: UInt = 1 << 16
    return withUnsafeTemporaryAllocation(byteCount: Int(size), alignment: 16) { buffer in
      let base = UInt(bitPattern: buffer.baseAddress)
      for start in stride(from: range.lowerBound & ~7, to: range.upperBound, by: Int(size)) {
        let count = min(size, range.upperBound - start)
        let copied = memory_copy_some(start, buffer.baseAddress, Int(count))
        guard copied > 0 else { return start > range.lowerBound }
        body(Region(proven: base, count: UInt(copied)))
        if copied < Int(count) { break }
      }
      return true
    }
  }
}
