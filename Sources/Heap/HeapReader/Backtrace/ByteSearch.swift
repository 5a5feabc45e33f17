import MemlabHeapModel

/// Finds bytes in a section of a file with the C library's search.
enum ByteSearch {
  private typealias Search =
    @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeRawPointer?

  private static let search = CFunction.named("memmem", as: Search.self)

  /// Where the pattern occurs first, or nil.
  static func first(_ pattern: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let search, let base = bytes.baseAddress else { return nil }
    return search(base, bytes.count, pattern, pattern.count).map { $0 - base }
  }

  /// Where the pattern occurs; occurrences may overlap.
  static func offsets(of pattern: [UInt8], in bytes: UnsafeRawBufferPointer) -> [Int] {
    var (found, from): ([Int], Int) = ([], 0)
    while let hit = first(pattern, in: UnsafeRawBufferPointer(rebasing: bytes[from...])) {
      found.append(from + hit)
      from += hit + 1
    }
    return found
  }
}
