/// The readable mappings of the process, as `/proc/self/maps` listed them at one moment.
///
/// Asked only about addresses outside the loaded images and the recorded blocks: generic metadata
/// that was made before recording began.
struct ReadableMaps {
  private let ranges = ProcessFiles.mappings().filter(\.isReadable).map(\.range)

  /// Whether `count` bytes at an address can be read.
  func contains(_ address: UInt, count: UInt) -> Bool {
    ranges.contains { $0.contains(address) && $0.upperBound - address >= count }
  }
}
