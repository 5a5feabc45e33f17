#if canImport(Glibc)
  internal import Glibc
#endif

/// The readable mappings of the process, as `/proc/self/maps` listed them at one moment.
///
/// Asked only about addresses outside the loaded images and the recorded blocks: generic metadata
/// that was made before recording began.
struct ReadableMaps {
  private var ranges: [Range<UInt>] = []

  /// Reads the kernel's list.
  init() {
    for line in Self.contents().split(separator: UInt8(ascii: "\n")) { add(line) }
  }

  /// Whether `count` bytes at an address can be read.
  func contains(_ address: UInt, count: UInt) -> Bool {
    ranges.contains { $0.contains(address) && $0.upperBound - address >= count }
  }

  // A line begins "55d0c0a00000-55d0c0a21000 rw-p ".
  private mutating func add(_ line: ArraySlice<UInt8>) {
    let parts = line.prefix(80).split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard parts.count >= 2, parts[1].first == UInt8(ascii: "r") else { return }
    let bounds = parts[0].split(separator: UInt8(ascii: "-")).map(Self.hexadecimal)
    guard bounds.count == 2, bounds[0] < bounds[1] else { return }
    ranges.append(bounds[0]..<bounds[1])
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt {
    digits.reduce(0) { value, digit in
      let isLetter = digit >= UInt8(ascii: "a")
      return value << 4 | UInt(digit - (isLetter ? UInt8(ascii: "a") - 10 : UInt8(ascii: "0")))
    }
  }

  private static func contents() -> [UInt8] {
    let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var contents: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &part, part.count), count > 0 {
      contents += part.prefix(count)
    }
    return contents
  }
}
