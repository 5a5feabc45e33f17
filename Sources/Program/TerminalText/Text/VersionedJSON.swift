/// Values as JSON whose first key is the version of the schema.
package enum VersionedJSON {
  /// A value with the schema's version as its first key and all others sorted, so that equal
  /// measurements are equal bytes.
  package static func text(of value: some Encodable, schema: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let body = String(decoding: try encoder.encode(value), as: UTF8.self)
    return "{\n  \"schema\" : \"\(schema)\"," + body.dropFirst()
  }
}
