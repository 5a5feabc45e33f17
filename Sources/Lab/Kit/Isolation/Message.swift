/// The bytes in which a copy of the process tells its parent a value.
///
/// Both are one program, so a plain value, such as a number, is the bytes that it has in memory, and a
/// text is its UTF-8. Each value, and each key, follows its length, and nothing is left over: a
/// message that was cut off is an error.
package enum Message {
  /// The message that has this value.
  package static func bytes(of value: some Encodable) throws -> [UInt8] {
    let writer = MessageWriter()
    try writer.encode(value)
    return writer.bytes
  }

  /// The value that a message has.
  ///
  /// - Throws: an error where the message is not the whole of such a value.
  package static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, in bytes: UnsafeRawBufferPointer
  ) throws -> Value { try MessageReader(body: bytes).decode(type) }

  /// Whether a value is the bytes that it has in memory.
  fileprivate static func isPlain<Value>(_ type: Value.Type) -> Bool { _isPOD(type) }

  /// The length of a value, as it stands before it.
  fileprivate typealias Length = UInt32
}

/// A message does not have what was asked of it.
struct MessageError: Error {}

// What is encoded by itself, and each element of a list, is written the same way.
private final class MessageWriter: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func encode<Value: Encodable>(_ value: Value) throws {
    count += 1
    if Value.self == String.self { return append(unsafeBitCast(value, to: String.self)) }
    if Message.isPlain(Value.self) { return withUnsafeBytes(of: value, append) }
    let start = begin()
    try value.encode(to: self)
    end(from: start)
  }

  func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  private func append(_ content: UnsafeRawBufferPointer) {
    withUnsafeBytes(of: Message.Length(content.count)) { bytes += $0 }
    bytes += content
  }

  /// Leaves room for the length of a value.
  ///
  /// - Returns: where the value begins.
  func begin() -> Int {
    append(UnsafeRawBufferPointer(start: nil, count: 0))
    return bytes.count
  }

  /// Notes the length of the value that has begun there.
  func end(from start: Int) {
    let length = Message.Length(bytes.count - start)
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(
        of: length, toByteOffset: start - MemoryLayout.size(ofValue: length),
        as: Message.Length.self)
    }
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedMessageWriter(writer: self))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func encodeNil() {}
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unused() }
  func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> { unused() }
  func superEncoder() -> any Encoder { unused() }
}

private struct KeyedMessageWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: MessageWriter
  // Where it begins, in a container that it is nested in.
  var start: Int?
  var codingPath: [any CodingKey] { [] }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    writer.append(key.stringValue)
    try writer.encode(value)
    if let start { writer.end(from: start) }
  }

  func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    writer.append(key.stringValue)
    return KeyedEncodingContainer(KeyedMessageWriter<Nested>(writer: writer, start: writer.begin()))
  }

  // Without its key, it is nil.
  func encodeNil(forKey key: Key) {}
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { unused() }
  func superEncoder() -> any Encoder { unused() }
  func superEncoder(forKey key: Key) -> any Encoder { unused() }
}

private struct MessageReader: Decoder, SingleValueDecodingContainer {
  let body: UnsafeRawBufferPointer
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let parts = try parts()
    guard parts.count == 1 else { throw MessageError() }
    return try parts[0].value()
  }

  /// The value that these bytes are, without their length.
  func value<Value: Decodable>() throws -> Value {
    if Value.self == String.self {
      return unsafeBitCast(String(decoding: body, as: UTF8.self), to: Value.self)
    }
    guard Message.isPlain(Value.self) else { return try Value(from: self) }
    guard body.count == MemoryLayout<Value>.size else { throw MessageError() }
    return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) {
      UnsafeMutableRawBufferPointer($0).copyMemory(from: body)
      return $0[0]
    }
  }

  /// The values that these bytes are one after the other.
  func parts() throws -> [MessageReader] {
    var (parts, rest) = ([MessageReader](), body[...])
    let size = MemoryLayout<Message.Length>.size
    while !rest.isEmpty {
      guard rest.count >= size else { throw MessageError() }
      let length = Int(body.loadUnaligned(fromByteOffset: rest.startIndex, as: Message.Length.self))
      rest = rest.dropFirst(size)
      guard rest.count >= length else { throw MessageError() }
      parts.append(MessageReader(body: UnsafeRawBufferPointer(rebasing: rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    return parts
  }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let parts = try parts()
    guard parts.count.isMultiple(of: 2) else { throw MessageError() }
    let members = stride(from: 0, to: parts.count, by: 2).map { key in
      (String(decoding: parts[key].body, as: UTF8.self), parts[key + 1])
    }
    let values = Dictionary(members) { first, _ in first }
    return KeyedDecodingContainer(KeyedMessageReader(values: values))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    UnkeyedMessageReader(parts: try parts())
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { body.isEmpty }
}

private struct KeyedMessageReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let values: [String: MessageReader]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }

  private func required(_ key: Key) throws -> MessageReader {
    guard let value = values[key.stringValue] else { throw MessageError() }
    return value
  }

  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }
  func decodeNil(forKey key: Key) -> Bool { !contains(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try required(key).value()
  }

  func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try required(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { unused() }
  func superDecoder() -> any Decoder { unused() }
  func superDecoder(forKey key: Key) -> any Decoder { unused() }
}

private struct UnkeyedMessageReader: UnkeyedDecodingContainer {
  let parts: [MessageReader]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { parts.count }
  var isAtEnd: Bool { currentIndex == parts.count }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard !isAtEnd else { throw MessageError() }
    defer { currentIndex += 1 }
    return try parts[currentIndex].value()
  }

  func decodeNil() -> Bool { false }
  func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { unused() }
  func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> { unused() }
  func superDecoder() -> any Decoder { unused() }
}

private func unused() -> Never { preconditionFailure("no message of memlab's is made so") }
