/// Names of types as reports show them and as other witnesses can spell them too.
public enum TypeName {
  /// A type's name with its module, such as `Demo.Outer.Inner`.
  ///
  /// Equal to `String(reflecting: type)`, except that the address which stands for a private or
  /// local type's scope is left out: it changes from build to build.
  public static func qualified(_ type: Any.Type) -> String {
    withoutScopes(_typeName(type, qualified: true))
  }

  /// A qualified name without modules and enclosing types: `Repo` for `Demo.Repo`.
  public static func short(_ name: String) -> String {
    var result = ""
    var word = ""
    for character in name {
      if character == "." {
        result += result.last == ">" ? "." : ""
        word = ""
      } else if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else {
        result += word + String(character)
        word = ""
      }
    }
    return result + word
  }

  /// A short name without generic arguments: `Sink` for `Sink<Date, Never>`, and `Map.Inner` for
  /// `Map<Int, Never>.Inner<Int>`.
  public static func withoutArguments(_ name: String) -> String {
    var depth = 0
    return String(
      name.filter { character in
        if character == "<" { depth += 1 }
        defer { if character == ">" && depth > 0 { depth -= 1 } }
        return depth == 0
      })
  }

  // "Demo.(unknown context at $5581f0).Repo" is what the runtime has for a private class.
  private static func withoutScopes(_ name: String) -> String {
    let opening = "(unknown context at $"
    guard name.contains("(") else { return name }
    var parts: [Substring] = []
    var rest = name[...]
    while let start = rest.range(of: opening) {
      parts.append(rest[..<start.lowerBound])
      rest = rest[start.upperBound...].drop { $0 != ")" }.dropFirst(2)
    }
    return parts.joined() + rest
  }
}

extension Substring {
  /// The first place where `text` occurs.
  func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) {
        return start..<index(start, offsetBy: text.count)
      }
      formIndex(after: &start)
    }
    return nil
  }
}
