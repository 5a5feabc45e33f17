/// A piece of an XML document, written by hand: what a report needs is five lines of rules.
struct XMLElement: Sendable {
  /// The name.
  let name: String
  /// The attributes, in the order in which they are written.
  var attributes: [(name: String, value: String)] = []
  /// The elements inside.
  var children: [XMLElement] = []
  /// The text inside; an element has either text or elements.
  var text: String?

  /// The element in lines, each child on lines of its own.
  var lines: [String] {
    let list = attributes.map { " \($0.name)=\"\(Self.escaped($0.value, isAttribute: true))\"" }
    let start = "<\(name)\(list.joined())"
    if let text { return ["\(start)>\(Self.escaped(text, isAttribute: false))</\(name)>"] }
    guard !children.isEmpty else { return ["\(start)/>"] }
    return ["\(start)>"] + children.flatMap(\.lines).map { "  \($0)" } + ["</\(name)>"]
  }

  /// A text that may stand in a document. What XML 1.0 has no way to write, control characters
  /// above all, is shown as `\u{1B}`.
  private static func escaped(_ text: String, isAttribute: Bool) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"  // "]]>" may not stand in a text
      case "\"" where isAttribute: "&quot;"
      case "\t" where isAttribute, "\n" where isAttribute, "\r": "&#\(scalar.value);"
      case _ where scalar.isForbiddenInDocuments:
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: String(scalar)
      }
    }.joined()
  }
}
