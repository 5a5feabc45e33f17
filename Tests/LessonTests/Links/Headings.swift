extension MarkdownText {
  /// The headings, without the marks before them.
  var headings: [String] {
    prose.compactMap { _, text in
      let level = text.prefix { $0 == "#" }.count
      guard (1...6).contains(level), text.dropFirst(level).first == " " else { return nil }
      return text.dropFirst(level).trimmed
    }
  }

  /// What a link to a heading has after `#`, as the forges make it.
  var headingAnchors: Set<String> {
    var anchors: Set<String> = []
    for heading in headings {
      let anchor = Self.anchor(heading)
      let names = [anchor] + (1...headings.count).lazy.map { "\(anchor)-\($0)" }
      if let free = names.first(where: { !anchors.contains($0) }) { anchors.insert(free) }
    }
    return anchors
  }

  /// Letters, digits, `-` and `_` stay, in lower case; spaces become `-`.
  private static func anchor(_ heading: String) -> String {
    let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
    return kept.replacing(" ", with: "-")
  }

  /// The text of headings and rows of tables: where a reader looks for a name.
  var landmarks: [String] { headings + prose.map(\.text.trimmed).filter { $0.hasPrefix("|") } }
}
