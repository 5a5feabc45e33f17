import MemlabHeapModel

/// The readable mappings of the process, as `/proc/self/maps` listed them at one moment.
///
/// Asked only about addresses outside the loaded images and the recorded blocks: generic metadata
/// that was made before recording began.
struct ReadableMaps {
  private let ranges = ProcessFiles.mappings().filter(\.isReadable).map(\.range)

  /// The mapping that an address lies in; nil where it cannot be read.
  func region(at address: UInt) -> Region? {
    ranges.first { $0.contains(address) }
      .map { Region(proven: $0.lowerBound, count: $0.upperBound - $0.lowerBound) }
  }
}
