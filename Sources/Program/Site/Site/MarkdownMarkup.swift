import MemlabKit
import MemlabWalk

/// A lesson or another text of the checkout as a part of a page.
///
/// The text is the file's, block by block; a block that has a translation is shown in it.
struct MarkdownMarkup {
  /// Where links of the text lead on the site.
  let links: SiteLinks
  /// The language that it is shown in.
  let translator: Translator
  /// What is shown in place of a block of code; nil for the code itself.
  var replacement: (_ lines: [String], _ language: String, _ command: String?) -> Markup? = {
    _, _, _ in nil
  }

  /// A text.
  func markup(of text: String) -> Markup {
    let blocks = MarkdownBlock.blocks(of: text)
    return Markup(
      blocks.indices.map { place in
        guard let mark = blocks[place].mark else { return markup(of: blocks[place]) }
        // Neighbouring points with the same kind of mark are one list.
        if place > 0, blocks[place - 1].mark?.isNumber == mark.isNumber { return Markup([]) }
        let points = blocks[place...].prefix { $0.mark?.isNumber == mark.isNumber }
        return Markup(mark.isNumber ? "ol" : "ul", ["class": "points"]) {
          for case .item(let text, _) in points { Markup("li") { said(text) } }
        }
      })
  }

  private func markup(of block: MarkdownBlock) -> Markup {
    switch block {
    case .heading(let text, let level):
      Markup("h\(level)", ["id": Self.anchor(of: text)]) { said(text) }
    case .paragraph(let text): Markup("p") { said(text) }
    case .item: Markup([])
    case .table(let rows): table(rows)
    case .code(let lines, let language, let command):
      replacement(lines, language, command) ?? Self.code(lines, language)
    }
  }

  /// Code, or what a command prints.
  static func code(_ lines: [String], _ language: String) -> Markup {
    let text = lines.joined(separator: "\n")
    return Markup.scrolling(language == "swift" ? "Code" : "What is printed") {
      Markup("pre") {
        Markup("code") { language == "swift" ? SwiftCode.markup(of: text) : Markup(text: text) }
      }
    }
  }

  private func table(_ rows: [[String]]) -> Markup {
    Markup.scrolling("Table") {
      Markup("table", ["class": "text"]) {
        Markup.head {
          for cell in rows[0] {
            cell.isEmpty ? Markup("td") : Markup("th", ["scope": "col"]) { said(cell) }
          }
        }
        Markup("tbody") {
          for row in rows.dropFirst() {
            Markup("tr") { for cell in row { Markup("td") { said(cell) } } }
          }
        }
      }
    }
  }

  /// A piece in the page's language where there is a translation, else in English.
  private func said(_ text: String) -> Markup {
    let translation = translator.language.catalog[text]
    let markup = InlineMarkup(links: links).markup(of: (translation ?? text)[...])
    let isInEnglish = translation == nil && translator.language != .en
    return isInEnglish ? Markup("span", ["lang": "en"]) { markup } : markup
  }

  /// The pieces that a translator has to translate.
  static func texts(of file: String) -> [String] {
    MarkdownBlock.blocks(of: file).flatMap { block -> [String] in
      switch block {
      case .heading(let text, _), .paragraph(let text), .item(let text, _): [text]
      case .table(let rows): rows.joined().filter { !$0.isEmpty }
      case .code: []
      }
    }
  }

  /// What forges call a heading.
  static func anchor(of heading: String) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
      .replacing(" ", with: "-")
  }
}

extension MarkdownBlock {
  /// The mark of a point of a list; nil for everything else.
  package var mark: String? { if case .item(_, let mark) = self { mark } else { nil } }
}

extension String { fileprivate var isNumber: Bool { first?.isNumber ?? false } }

/// Where links in the texts of the checkout lead on the site.
struct SiteLinks {
  /// The folder of the text in the checkout, such as `Lessons/01-who-owns-whom`.
  let folder: String
  /// The way from the page to the site's folder.
  let root: String
  /// What is between a page's name and `.html`.
  let suffix: String
  /// The address of the repository; nil where none is known, and files are not linked to.
  let repository: String?

  /// The address of a link of the text; nil where the site has nothing there.
  func address(of link: String) -> String? {
    if ["https://", "http://", "#"].contains(where: link.hasPrefix) { return link }
    // Such as `javascript:`.
    if link.contains(":") { return nil }
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let anchor = parts.count > 1 ? "#\(parts[1])" : ""
    let path = normalized("\(folder)/\(parts[0])")
    if path == "Documentation/Glossary.md" { return "\(root)glossary\(suffix).html\(anchor)" }
    if path == "Lessons/README.md" || path == "README.md" { return "\(root)index.html" }
    if path.hasPrefix("Lessons/"), path.hasSuffix("/README.md") {
      let lesson = path.dropFirst("Lessons/".count).dropLast("/README.md".count)
      return "\(root)lessons/\(lesson).html\(anchor)"
    }
    return repository.map { "\($0)/blob/main/\(path)\(anchor)" }
  }

  private func normalized(_ path: String) -> String {
    path.split(separator: "/").reduce(into: [Substring]()) { parts, part in
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }.joined(separator: "/")
  }
}

/// A piece of Markdown with its code, emphasis and links.
struct InlineMarkup {
  /// The places that its links lead to; without any, a link is its text alone.
  var links: SiteLinks?

  /// A piece as markup.
  func markup(of markdown: Substring) -> Markup {
    var (rest, pieces): (Substring, [Markup]) = (markdown, [])
    while !rest.isEmpty {
      if let code = InlineSpan.code(rest) {
        pieces.append(Markup("code") { String(code.inside) })
        rest = code.rest
      } else if let emphasis = InlineSpan.emphasis(rest) {
        let name = rest.hasPrefix("**") ? "strong" : "i"
        pieces.append(Markup(name) { markup(of: emphasis.inside) })
        rest = emphasis.rest
      } else if let link = InlineSpan.link(rest) {
        let address = rest[link.inside.endIndex..<link.rest.startIndex].dropFirst(2).dropLast()
        let inside = markup(of: link.inside)
        pieces.append(
          links?.address(of: String(address)).map { address in
            Markup("a", ["href": address]) { inside }
          } ?? inside)
        rest = link.rest
      } else {
        pieces.append(Markup(text: String(rest.removeFirst())))
      }
    }
    return Markup(pieces)
  }
}
