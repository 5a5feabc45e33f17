/// A help page under construction: sections in order, a blank line between them.
struct HelpPage {
  private var sections: [String] = []

  /// The page so far, ending in a line break.
  var text: String { sections.joined(separator: "\n\n") + "\n" }

  /// Adds what the command is, and more about it.
  func overview(_ abstract: String, discussion: String?) -> HelpPage {
    let title = Self.wrapped("OVERVIEW: \(abstract)")
    return adding(title).adding(discussion.map(Self.wrapped))
  }

  /// Adds how the command is called.
  func usage(_ usage: String) -> HelpPage { adding("USAGE: \(usage)") }

  /// Adds a list of labels and their explanations, unless it is empty.
  func section(_ title: String, _ entries: [(label: String, explanation: String)]) -> HelpPage {
    guard !entries.isEmpty else { return self }
    let lines = entries.map { Self.entry($0.label, $0.explanation) }
    return adding((["\(title):"] + lines).joined(separator: "\n"))
  }

  /// Adds a last line.
  func closing(_ line: String) -> HelpPage { adding(line) }

  private func adding(_ section: String?) -> HelpPage {
    var page = self
    if let section { page.sections.append(section) }
    return page
  }

  private static func entry(_ label: String, _ explanation: String) -> String {
    let column = HelpLayout.abstractColumn
    let indent = String(repeating: " ", count: column)
    let lines = explanation.wrapped(to: HelpLayout.lineWidth - column)
    let start = "  \(label)"
    let body = lines.joined(separator: "\n\(indent)")
    if explanation.isEmpty { return start }
    if start.displayWidth >= column { return "\(start)\n\(indent)\(body)" }
    return start.padded(to: column) + body
  }

  private static func wrapped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { line in
        line.first == " " ? [String(line)] : String(line).wrapped(to: HelpLayout.lineWidth)
      }
      .joined(separator: "\n")
  }
}
