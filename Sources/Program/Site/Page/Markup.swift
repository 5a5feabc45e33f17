import MemlabPageFiles
import MemlabTerminalText

/// A piece of a page in which every text is escaped and every tag closed, as XML has it.
///
/// Browsers read it as HTML, and any XML parser can check it.
package struct Markup: Sendable, Equatable {
  /// What goes into the file.
  package private(set) var source: String

  /// A text, escaped, so that no part of it counts as markup.
  package init(text: String) { source = text.escapedForMarkup }

  /// A style sheet or a script, which HTML takes as it stands.
  ///
  /// Traps on characters that HTML and XML would read differently; a script can do without.
  package init(verbatim text: String) {
    precondition(!text.contains("<") && !text.contains("&"), "this would be read as markup")
    source = text
  }

  /// A script with characters that HTML and XML read differently: where HTML sees comments of JavaScript,
  /// XML sees what is to be taken as it stands.
  init(script: String) { source = "<script>//<![CDATA[\n\(script)//]]></script>\n" }

  /// A part of a page that a file has.
  ///
  /// - Parameters:
  ///   - file: its name, without its ending. In the file, a name in braces stands for a word or a
  ///     piece, and a text in double brackets for what is said.
  ///   - words: texts by their names, which are escaped.
  ///   - pieces: markup by its names.
  ///   - said: says a text in the language of the page.
  init(
    file: String, _ words: [String: String] = [:], _ pieces: [String: Markup] = [:],
    said: (String) -> Markup = { Markup(text: $0) }
  ) {
    let words = words.mapValues(\.escapedForMarkup).merging(pieces.mapValues(\.source)) { $1 }
    source = PageFile.text(of: "\(file).html")
      .replacing(/\[\[(.+?)\]\]/) { said(String($0.1)).source }.filling(words)
  }

  /// Pieces one after the other.
  package init(_ pieces: [Markup]) { source = pieces.map(\.source).joined() }

  /// An element.
  ///
  /// - Parameters:
  ///   - name: the name of its tag.
  ///   - attributes: its attributes; those without a value are left out.
  ///   - content: what it holds.
  package init(
    _ name: String, _ attributes: KeyValuePairs<String, String?> = [:],
    @MarkupBuilder content: () -> Markup = { Markup([]) }
  ) {
    var tag = "<\(name)"
    for case (let key, let value?) in attributes { tag += " \(key)=\"\(value.escapedForMarkup)\"" }
    let inside = content().source
    let isClosedAtOnce = inside.isEmpty && Self.emptyElements.contains(name)
    source = tag + (isClosedAtOnce ? "/>" : ">\(inside)</\(name)>")
    // Only between elements where white space is not shown, and not where a page has thousands of them.
    if !Self.inlineElements.contains(name) { source += "\n" }
  }

  private static let emptyElements: Set = ["input", "link", "meta", "path", "rect", "use", "wbr"]

  private static let inlineElements: Set = [
    "a", "b", "button", "code", "g", "i", "input", "kbd", "label", "mark", "path", "q", "rect",
    "small", "span", "strong", "td", "text", "th", "use", "wbr",
  ]
}

/// Lets the content of an element be written as a list of texts and elements.
@resultBuilder
package enum MarkupBuilder {
  /// A text is escaped; nothing, where there is no text.
  package static func buildExpression(_ text: String?) -> Markup { Markup(text: text ?? "") }
  /// An element stays what it is; nothing, where there is no element.
  package static func buildExpression(_ markup: Markup?) -> Markup { markup ?? Markup([]) }
  /// Pieces one after the other.
  package static func buildBlock(_ pieces: Markup...) -> Markup { Markup(pieces) }
  /// What a loop makes.
  package static func buildArray(_ pieces: [Markup]) -> Markup { Markup(pieces) }
  /// What is there only on a condition.
  package static func buildOptional(_ markup: Markup?) -> Markup { markup ?? Markup([]) }
  /// The first of two ways.
  package static func buildEither(first markup: Markup) -> Markup { markup }
  /// The second of two ways.
  package static func buildEither(second markup: Markup) -> Markup { markup }
}

extension String {
  /// The text as HTML and XML have it, between tags and in an attribute's quotes alike; what would not be
  /// seen is shown, as on a terminal.
  var escapedForMarkup: String { shown(keeping: "\t\n\r").replacing(scalars: Self.escapes) }

  // Of a carriage return, a parser would make a line feed.
  private static let escapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "\r": "&#13;",
  ]
}
