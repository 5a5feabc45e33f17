import CProcessAccess

/// Memory that the kernel copies, because nothing else has proven that it can be read.
enum MemoryCopy {
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
}
