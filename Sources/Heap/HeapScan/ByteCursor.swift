import CMemlabProcess
import Glibc

/// Reads numbers and strings one after the other from a section of a file.
///
/// Reading past the end yields zeros and sets `isExhausted`, so that a damaged section ends a loop
/// rather than the process.
package struct ByteCursor {
  private let bytes: UnsafeRawBufferPointer
  /// The position of the next read.
  package private(set) var offset: Int
  /// Whether something was asked for beyond the end.
  package private(set) var isExhausted = false

  /// Starts at an offset, and ends at the end of the section.
  package init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    (self.bytes, self.offset) = (bytes, offset)
  }

  /// A little-endian number of the type's size.
  package mutating func read<Value: FixedWidthInteger & BitwiseCopyable>(_: Value.Type) -> Value {
    guard reserve(MemoryLayout<Value>.size) else { return 0 }
    defer { offset += MemoryLayout<Value>.size }
    return bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  /// One byte.
  package mutating func byte() -> UInt8 {
    guard reserve(1) else { return 0 }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// An unsigned number in DWARF's variable-length form; bits above the 64th are dropped.
  package mutating func unsigned() -> UInt { variableLength().value }

  /// A signed number in DWARF's variable-length form.
  package mutating func signed() -> Int {
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
  package mutating func string() -> String {
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
  package mutating func value(in form: UInt) -> (number: Int, text: String)? {
    switch (Self.size(of: form), form) {
    case (0, _): return (1, "")
    case (1, _): return (Int(byte()), "")
    case (2, _): return (Int(read(UInt16.self)), "")
    case (4, _): return (Int(read(UInt32.self)), "")
    case (8, _): return (Int(truncatingIfNeeded: read(UInt64.self)), "")
    case (let size?, _): skip(size)
    case (_, 0x0D): return (signed(), "")
    case (_, 0x0F), (_, 0x15): return (Int(clamping: unsigned()), "")
    case (_, 0x08): return (0, string())
    case (_, 0x0A): skip(Int(byte()))
    case (_, 0x03): skip(Int(read(UInt16.self)))
    case (_, 0x04): skip(Int(read(UInt32.self)))
    case (_, 0x09), (_, 0x18): skip(Int(clamping: unsigned()))
    default: return nil
    }
    return (0, "")
  }

  /// How many bytes an attribute has in one of those forms; nil where that stands in the section.
  static func size(of form: UInt) -> Int? {
    switch form {
    case 0x19: 0
    case 0x0B, 0x0C, 0x11: 1
    case 0x05, 0x12: 2
    case 0x06, 0x0E, 0x10, 0x13, 0x17, 0x1F: 4
    case 0x01, 0x07, 0x14, 0x20: 8
    case 0x1E: 16
    default: nil
    }
  }

  /// Skips bytes that are not needed.
  package mutating func skip(_ count: Int) {
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

/// Finds bytes in a section of a file.
package enum ByteSearch {
  /// Where the pattern occurs first, or nil.
  package static func first(_ pattern: [UInt8], in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let place = memlab_place_of_bytes(base, bytes.count, pattern, pattern.count)
    return place < bytes.count ? place : nil
  }

  /// Where the pattern occurs; occurrences may overlap.
  package static func offsets(of pattern: [UInt8], in bytes: UnsafeRawBufferPointer) -> [Int] {
    var (found, from): ([Int], Int) = ([], 0)
    while let hit = first(pattern, in: UnsafeRawBufferPointer(rebasing: bytes[from...])) {
      found.append(from + hit)
      from += hit + 1
    }
    return found
  }
}
