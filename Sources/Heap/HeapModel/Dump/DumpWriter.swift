/// Writes a dump as bytes: numbers in the order of the processor, texts with their lengths.
struct DumpWriter {
  /// What was written.
  private(set) var bytes: ContiguousArray<UInt8> = []

  /// Writes a number of a few bytes when it is small.
  mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a count.
  mutating func count(_ value: Int) { number(UInt64(value)) }

  /// Writes a text.
  mutating func text(_ value: String) {
    count(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// Writes a value that may be missing.
  mutating func optional<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
    bytes.append(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  /// Writes a list.
  mutating func list<Items: Collection>(
    _ items: Items, _ write: (inout Self, Items.Element) -> Void
  ) {
    count(items.count)
    for item in items { write(&self, item) }
  }

  /// Writes a list of plain numbers as they are in memory.
  mutating func numbers<Number: BitwiseCopyable>(_ list: ContiguousArray<Number>) {
    count(list.count)
    list.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Writes bytes as they are.
  mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}

/// Reads what a ``DumpWriter`` has written, and believes none of it.
struct DumpReader {
  private let bytes: [UInt8]
  private var position: Int

  /// Begins at some place.
  init(_ bytes: [UInt8], from position: Int = 0) {
    (self.bytes, self.position) = (bytes, position)
  }

  /// Whether nothing is left.
  var isAtEnd: Bool { position == bytes.count }

  /// A byte.
  mutating func byte() throws(DumpError) -> UInt8 {
    guard position < bytes.count else { throw .damaged }
    position += 1
    return bytes[position - 1]
  }

  /// A number.
  mutating func number() throws(DumpError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try byte()
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw .damaged
  }

  /// A count of things, of which each has at least a byte.
  mutating func count() throws(DumpError) -> Int {
    let value = try number()
    guard value <= UInt64(bytes.count - position) else { throw .damaged }
    return Int(value)
  }

  /// A whole number that fits.
  mutating func integer<Number: FixedWidthInteger>(_: Number.Type) throws(DumpError) -> Number {
    guard let value = Number(exactly: try number()) else { throw .damaged }
    return value
  }

  /// A text.
  mutating func text() throws(DumpError) -> String {
    let count = try count()
    position += count
    return String(decoding: bytes[position - count..<position], as: UTF8.self)
  }

  /// A value that may be missing.
  mutating func optional<Value>(
    _ read: (inout Self) throws(DumpError) -> Value
  ) throws(DumpError) -> Value? {
    try byte() == 0 ? nil : try read(&self)
  }

  /// A list.
  mutating func list<Value>(
    _ read: (inout Self) throws(DumpError) -> Value
  ) throws(DumpError) -> [Value] {
    var items: [Value] = []
    for _ in 0..<(try count()) { items.append(try read(&self)) }
    return items
  }

  /// A list of plain numbers.
  mutating func numbers<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type
  ) throws(DumpError) -> ContiguousArray<Number> {
    let count = try number()
    let size = MemoryLayout<Number>.size
    guard count <= UInt64((bytes.count - position) / size) else { throw .damaged }
    defer { position += Int(count) * size }
    return ContiguousArray(unsafeUninitializedCapacity: Int(count)) { buffer, used in
      bytes[position..<position + Int(count) * size].withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0)
      }
      used = Int(count)
    }
  }
}

/// Why bytes are no dump.
package enum DumpError: Error, CustomStringConvertible {
  /// They are something else, or of another version of memlab.
  case unknownFormat
  /// They do not fit together, or end too early.
  case damaged

  /// A sentence for the person at the terminal.
  package var description: String {
    switch self {
    case .unknownFormat: "it is no snapshot of this version of memlab"
    case .damaged: "it is damaged or not whole"
    }
  }
}
