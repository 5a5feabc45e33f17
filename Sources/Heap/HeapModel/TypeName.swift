import MemlabRuntimeABI

/// Names of types as reports show them and as other witnesses can spell them too.
package enum TypeName {
  /// A type's name with its module, such as `Demo.Outer.Inner`.
  ///
  /// Equal to `String(reflecting: type)`, except that the address which stands for a private or
  /// local type's scope is left out: it changes from build to build.
  package static func qualified(_ type: Any.Type) -> String {
    withoutScopes(_typeName(type, qualified: true))
  }

  /// A qualified name without modules and enclosing types: `Repo` for `Demo.Repo`.
  package static func short(_ name: String) -> String {
    var result: [UInt8] = []
    var word = 0
    for byte in name.utf8 {
      if byte == UInt8(ascii: ".") {
        result.removeSubrange(word...)
        if result.last == UInt8(ascii: ">") { result.append(byte) }
        word = result.count
      } else {
        result.append(byte)
        if !isPartOfWord(byte) { word = result.count }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  // Of the ASCII characters an identifier has only these; all others are part of one.
  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  /// A short name without generic arguments: `Sink` for `Sink<Date, Never>`, and `Map.Inner` for
  /// `Map<Int, Never>.Inner<Int>`.
  package static func withoutArguments(_ name: String) -> String {
    var (depth, before) = (0, Character(" "))
    return String(
      name.filter { character in
        // An arrow, as in `Box<(Int) -> Void>`, ends no arguments.
        let isEnd = character == ">" && before != "-" && depth > 0
        if character == "<" { depth += 1 }
        defer { (depth, before) = (isEnd ? depth - 1 : depth, character) }
        return depth == 0
      })
  }

  // "Demo.(unknown context at $5581f0).Repo" is what the runtime has for a private class.
  private static func withoutScopes(_ name: String) -> String {
    var rest = Array(name.utf8)[...]
    var result: [UInt8] = []
    while let open = rest.firstIndex(of: UInt8(ascii: "(")) {
      result += rest[..<open]
      rest = rest[open...]
      if rest.hasPrefix(abi.symbols.privateScope) {
        rest = rest.drop { $0 != UInt8(ascii: ")") }.dropFirst(2)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return String(decoding: result + rest, as: UTF8.self)
  }
}

extension Collection where Element == UInt8 {
  /// Whether the bytes begin with a text.
  @inlinable
  package func hasPrefix(_ text: StaticString) -> Bool { text.withUTF8Buffer { starts(with: $0) } }
}
