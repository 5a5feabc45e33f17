/// A place in a text that names a file or a heading.
struct Link: Equatable {
  /// The path, relative to the text or to the root, and perhaps `#` and a heading.
  var target: String
  /// The line, counted from 1.
  var line: Int
  /// Whether it is a path in code quotes, which may be relative to the root.
  var isCode = false
}

/// Finds links and paths in Markdown.
enum LinkFinder {
  /// Code in quotes that begins with one of these is a path from the root.
  static let roots = ["Documentation/", "Lessons/", "Sources/", "Tests/", "Exercises/", ".ci/"]

  /// The links to files of this checkout and to headings, outside of blocks of code.
  static func links(in markdown: MarkdownText) -> [Link] {
    markdown.prose.flatMap { number, text in
      let spans = codeSpans(in: text)
      let prose = spans.reduce(text) { $0.replacing("`\($1)`", with: "`code`") }
      return targets(in: prose).filter(isLocal).map { Link(target: $0, line: number) }
        + spans.filter(isPath).map { Link(target: $0, line: number, isCode: true) }
    }
  }

  /// What stands between two backticks.
  static func codeSpans(in line: String) -> [String] {
    line.matches(of: #/`([^`]+)`/#).map { String($0.1) }
  }

  /// `](target)`, `](<target>)`, `](target "title")`, `[name]: target` and `href="target"`.
  private static func targets(in line: String) -> [String] {
    let inline = line.matches(of: #/\]\(\s*<?([^)\s>]+)/#).map { String($0.1) }
    let named = line.matches(of: #/^ {0,3}\[[^\]^][^\]]*\]:\s*<?([^\s>]+)/#).map { String($0.1) }
    return inline + named + line.matches(of: #/(?:href|src)="([^"]+)"/#).map { String($0.1) }
  }

  // The pages of a repository's workflows, and what they have published, lie two levels above its
  // first folder, where it is hosted.
  private static func isLocal(_ target: String) -> Bool {
    target.firstMatch(of: #/^(\.\./){2,}(actions|deployments)\//#) == nil
      && target.firstMatch(of: #/^[a-zA-Z][a-zA-Z0-9+.\-]*:/#) == nil
  }

  /// Whether it can be a path: a command has spaces, a pattern has letters that stand for others.
  private static func isPath(_ code: String) -> Bool {
    roots.contains(where: code.hasPrefix) && !code.contains { "<>*{}… ".contains($0) }
  }
}
