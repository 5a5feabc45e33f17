import MemlabPlatform

/// The bytes in which a copy of the process tells its parent a value: a binary property list.
package enum Message {
  /// The message that has this value.
  package static func bytes(of value: some Encodable) throws -> [UInt8] {
    // A property list is a table or a list, and no single number or text.
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return [UInt8](try encoder.encode([value]))
  }

  /// The value that a message has.
  ///
  /// - Throws: an error where the message is not the whole of such a value.
  package static func value<Value: Decodable>(
    _ type: Value.Type = Value.self, in bytes: UnsafeRawBufferPointer
  ) throws -> Value {
    let values = try PropertyListDecoder().decode([Value].self, from: Data(bytes))
    guard let value = values.first else { throw CocoaError(.propertyListReadCorrupt) }
    return value
  }
}
