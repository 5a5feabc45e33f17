import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The elements of a page or a document, read by an XML parser that is not memlab's: it stops at the
/// first tag that is not closed.
final class XMLOutline: NSObject, XMLParserDelegate {
  final class Element {
    let name: String
    let attributes: [String: String]
    fileprivate(set) var children: [Element] = []
    /// What is between its tags, and those of its children.
    fileprivate(set) var text = ""

    fileprivate init(_ name: String, _ attributes: [String: String]) {
      (self.name, self.attributes) = (name, attributes)
    }
  }

  private(set) var elements: [Element] = []
  private(set) var error: String?
  private var open: [Element] = []

  init(_ page: String) {
    super.init()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = self
    if !parser.parse() {
      error = "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "?")"
    }
  }

  /// The root element of a document; throws what the parser has to say of one that is not well-formed.
  static func root(of document: String) throws -> Element {
    let outline = XMLOutline(document)
    try #require(outline.error == nil, "\(outline.error ?? "")")
    return try #require(outline.elements.first)
  }

  /// The values that an attribute has anywhere.
  func values(of attribute: String) -> [String] { elements.compactMap { $0.attributes[attribute] } }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let element = Element(name, attributes)
    open.last?.children.append(element)
    open.append(element)
    elements.append(element)
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    for element in open { element.text += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }
}
