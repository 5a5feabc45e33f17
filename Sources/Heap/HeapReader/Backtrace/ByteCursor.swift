import Glibc

/// Reads numbers and strings one after the other from a section of a file.
///
/// Reading past the end yields zeros and sets `isExhausted`, so that a damaged section ends a loop
/// rather than the process.
struct ByteCursor {
  private let bytes: UnsafeRawBufferPointer
  /// The position of the next read.
  private(set) var offset: Int
  /// Whether something was asked for beyond the end.
  private(set) var isExhausted = false

  /// Starts at an offset, and ends at the end of the section.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    (self.bytes, self.offset) = (bytes, offset)
  }

  /// A little-endian number of the type's size.
  mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number {
    guard reserve(MemoryLayout<Number>.size) else { return 0 }
    defer { offset += MemoryLayout<Number>.size }
    return bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
  }

  /// One byte.
  mutating func byte() -> UInt8 {
    guard reserve(1) else { return 0 }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// An unsigned number in DWARF's variable-length form; bits above the 64th are dropped.
  mutating func unsigned() -> UInt { variableLength().value }

  /// A signed number in DWARF's variable-length form.
  mutating func signed() -> Int {
    let (value, bits, isNegative) = variableLength()
    let fill: UInt = isNegative && bits < 64 ? ~0 << bits : 0
    return Int(bitPattern: value | fill)
  }

  // Of a signed number, the highest bit that is there says whether it is negative.
  private mutating func variableLength() -> (value: UInt, bits: UInt, isNegative: Bool) {
    var (value, bits): (UInt, UInt) = (0, 0)
    while true {
      let next = byte()
      value |= UInt(next & 0x7F) << bits
      bits += 7
      if next < 0x80 { return (value, bits, next & 0x40 != 0) }
    }
  }

  /// The text up to the next zero byte, which is consumed.
  mutating func string() -> String {
    guard reserve(1), let base = bytes.baseAddress else { return "" }
    let start = (base + offset).assumingMemoryBound(to: CChar.self)
    let length = strnlen(start, bytes.count - offset)
    defer { offset += length + 1 }
    return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
  }

  /// The value of an attribute or a column in one of DWARF's forms, https://dwarfstd.org, where it is
  /// a number or stands in the section itself; nil for a form that isn't known.
  ///
  /// - Returns: the number, or zero; and the text, or an empty one.
  mutating func value(in form: UInt) -> (number: Int, text: String)? {
    switch form {
    case 0x0B, 0x0C, 0x11: return (Int(byte()), "")
    case 0x05, 0x12: return (Int(read(UInt16.self)), "")
    case 0x06, 0x0E, 0x10, 0x13, 0x17, 0x1F: return (Int(read(UInt32.self)), "")
    case 0x01, 0x07, 0x14, 0x20: return (Int(truncatingIfNeeded: read(UInt64.self)), "")
    case 0x0D: return (signed(), "")
    case 0x0F, 0x15: return (Int(clamping: unsigned()), "")
    case 0x19: return (1, "")
    case 0x08: return (0, string())
    case 0x0A: skip(Int(byte()))
    case 0x03: skip(Int(read(UInt16.self)))
    case 0x04: skip(Int(read(UInt32.self)))
    case 0x09, 0x18: skip(Int(clamping: unsigned()))
    case 0x1E: skip(16)
    default: return nil
    }
    return (0, "")
  }

  /// Skips bytes that are not needed.
  mutating func skip(_ count: Int) {
    guard reserve(count) else { return }
    offset += count
  }

  private mutating func reserve(_ count: Int) -> Bool {
    if count >= 0, offset >= 0, offset <= bytes.count, count <= bytes.count - offset { return true }
    isExhausted = true
    offset = bytes.count
    return false
  }
}

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
