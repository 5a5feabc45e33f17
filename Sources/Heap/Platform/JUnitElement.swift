/// A piece of an XML document, written by hand: what a report needs is five lines of rules.
package struct JUnitElement: Sendable {
  /// Attributes, in the order in which they are written.
  package typealias Attributes = [(name: String, value: String)]

  /// The name.
  package let name: String
  /// The attributes.
  package let attributes: Attributes
  /// The elements inside.
  package let children: [JUnitElement]
  /// The text inside; an element has either text or elements.
  package let text: String?

  /// An element.
  package init(
    _ name: String, _ attributes: Attributes, children: [JUnitElement] = [], text: String? = nil
  ) { (self.name, self.attributes, self.children, self.text) = (name, attributes, children, text) }

  /// The element as a whole document.
  package var document: String {
    (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + lines).map { $0 + "\n" }.joined()
  }

  /// The element in lines, each child on lines of its own.
  package var lines: [String] {
    let list = attributes.map { " \($0.name)=\"\($0.value.inXML(isAttribute: true))\"" }
    let start = "<\(name)\(list.joined())"
    if let text { return ["\(start)>\(text.inXML(isAttribute: false))</\(name)>"] }
    guard !children.isEmpty else { return ["\(start)/>"] }
    return ["\(start)>"] + children.flatMap(\.lines).map { "  \($0)" } + ["</\(name)>"]
  }

  /// A duration as an attribute has it: in seconds, with three decimals.
  package static func seconds(_ duration: Duration) -> String {
    let milliseconds = Int((duration / .milliseconds(1)).rounded())
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    return "\(milliseconds / 1_000).\(fraction)"
  }
}
