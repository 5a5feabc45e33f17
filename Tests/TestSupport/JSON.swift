import Foundation
package import Testing

extension String {
  /// What this text of JSON says.
  package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(utf8))
  }

  /// The object of which this is the JSON; anything else fails the test.
  package func jsonObject(at place: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(utf8))
    return try #require(value as? [String: Any], sourceLocation: place)
  }
}
