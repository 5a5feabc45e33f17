import Foundation
import MemlabKit
import Testing

@Suite("A message between two copies of a process") struct MessageTests {
  private struct Everything: Codable, Equatable {
    enum Choice: Codable, Equatable {
      case none
      case number(Int)
      case texts(first: [String], second: String?)
    }
    var text = "größer", empty = "", absent: String?, number = -1, share = 0.5, isTrue = true
    var choices = [Choice.none, .number(7), .texts(first: ["a", ""], second: nil)]
    var counts = ["b": 2, "a": 1], list: [Int?] = [1, nil], inner: [[String]] = [[], ["x"]]
  }

  private static func value<Value: Decodable>(_ bytes: [UInt8]) throws -> Value {
    try bytes.withUnsafeBytes { try Message.value(in: $0) }
  }

  @Test("has the whole value") func whole() throws {
    let (value, list) = (Everything(), [3, 4])
    #expect(try Self.value(Message.bytes(of: value)) == value)
    #expect(try Self.value(Message.bytes(of: "text")) == "text")
    #expect(try Self.value(Message.bytes(of: list)) == list)
  }

  @Test("is an error when it is cut off anywhere, or goes on") func cutOff() throws {
    let bytes = try Message.bytes(of: Everything())
    for length in bytes.indices {
      #expect(throws: (any Error).self) {
        let _: Everything = try Self.value(Array(bytes[..<length]))
      }
    }
    #expect(throws: (any Error).self) { let _: Everything = try Self.value(bytes + [0]) }
    #expect(throws: (any Error).self) { let _: Int = try Self.value(Message.bytes(of: true)) }
  }
}
