import TestSupport

/// The named parts of a source file, each between `// snippet:name` and `// snippet:end`.
struct SnippetMarkers: Equatable {
  /// The lines of each part, without the indentation they have in common.
  private(set) var snippets: [String: [String]] = [:]
  /// The line of the file at which each part begins, counted from 1.
  private(set) var starts: [String: Int] = [:]
  /// Markers that are out of place, with their line counted from 1.
  private(set) var problems: [Problem] = []

  /// Reads a source file.
  init(path: String, source: String) {
    var open: (name: String, number: Int, lines: [String])?
    for (number, line) in zip(1..., source.newlineSeparated) {
      guard let marker = Self.marker(line) else {
        open?.lines.append(line)
        continue
      }
      if let problem = accept(marker, closing: open) {
        problems.append(Problem(file: path, line: number, message: problem))
      }
      open = marker == "end" ? nil : (marker, number, [])
    }
    if let open {
      let message = "snippet '\(open.name)' has no '// snippet:end'"
      problems.append(Problem(file: path, line: open.number, message: message))
    }
  }

  /// Keeps the part that a marker ends; returns what is wrong with the marker.
  private mutating func accept(
    _ marker: String, closing open: (name: String, number: Int, lines: [String])?
  ) -> String? {
    guard marker == "end" else {
      if let open { return "snippet '\(open.name)' is still open here" }
      if snippets[marker] != nil { return "there is another snippet '\(marker)' in this file" }
      return Self.isName(marker) ? nil : "a snippet's name is a word of a-z, 0-9 and '-'"
    }
    guard let open else { return "this ends no snippet" }
    // The first of two is the one that is meant; the second has been reported.
    if snippets[open.name] == nil {
      snippets[open.name] = open.lines.dedented
      starts[open.name] = open.number + 1 + open.lines.prefix { $0.trimmed.isEmpty }.count
    }
    return snippets[open.name] == [] ? "snippet '\(open.name)' is empty" : nil
  }

  private static func marker(_ line: String) -> String? {
    let text = line.trimmed
    guard text.hasPrefix("//") else { return nil }
    let rest = text.dropFirst(2).trimmed
    return rest.hasPrefix("snippet:") ? rest.dropFirst("snippet:".count).trimmed : nil
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".contains($0) }
  }
}

extension [String] {
  /// The lines without the indentation they have in common and without blank lines at the ends.
  var dedented: [String] {
    let isBlank: (String) -> Bool = { $0.allSatisfy(\.isWhitespace) }
    let start = drop(while: isBlank)
    let lines = start.dropLast(start.reversed().prefix(while: isBlank).count)
    let widths = lines.filter { !isBlank($0) }.map { $0.prefix { $0 == " " }.count }
    return lines.map { isBlank($0) ? "" : String($0.dropFirst(widths.min() ?? 0)) }
  }
}
