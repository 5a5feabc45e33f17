import MemlabHeapModel

/// What the kernel keeps for those who wait for events.
///
/// With each descriptor that an `epoll` watches goes a word for its owner, who may put an address
/// there and keep it nowhere else.
enum EventTables {
  /// The words.
  static func words() -> [UInt] {
    ProcessFiles.descriptors().flatMap { words(of: ProcessFiles.text("/proc/self/fdinfo/\($0)")) }
  }

  // "tfd:        5 events:       19 data:     7f12a8001230  pos:0 ino:61af sdev:7"
  private static func words(of text: String) -> [UInt] {
    text.split(separator: "\n").filter { $0.hasPrefix("tfd:") }.compactMap { line in
      let parts = line.split(whereSeparator: \.isWhitespace)
      guard let label = parts.firstIndex(of: "data:"), label + 1 < parts.count else { return nil }
      return UInt(parts[label + 1], radix: 16)
    }
  }
}
