/// The lines in which one text differs from another, for people.
package enum LineDiff {
  /// Lines that are gone after `-`, new ones after `+`, with two lines of what surrounds them.
  ///
  /// - Parameters:
  ///   - old: The lines that were expected.
  ///   - new: The lines of now.
  ///   - limit: The number of lines after which the rest is only counted.
  package static func text(from old: [String], to new: [String], limit: Int = 60) -> String {
    let lines = marked(from: old, to: new)
    let near = lines.indices.filter { index in
      lines[max(0, index - 2)..<min(lines.count, index + 3)].contains { $0.mark != " " }
    }
    var shown: [String] = []
    for (position, index) in near.enumerated() {
      if position > 0, near[position - 1] != index - 1 { shown.append("  ⋮") }
      shown.append("\(lines[index].mark) \(lines[index].text)")
    }
    let rest = shown.count > limit ? ["  and \(shown.count - limit) more lines"] : []
    return (shown.prefix(limit) + rest).joined(separator: "\n")
  }

  private static func marked(
    from old: [String], to new: [String]
  ) -> [(mark: Character, text: String)] {
    let difference = new.difference(from: old)
    var lines: [(mark: Character, text: String)] = old.map { (" ", $0) }
    for case .remove(let offset, _, _) in difference { lines[offset].mark = "-" }
    for case .insert(let offset, let text, _) in difference {
      // Before the next line that both texts have.
      let kept = lines.indices.filter { lines[$0].mark != "-" }
      lines.insert(("+", text), at: offset < kept.count ? kept[offset] : lines.count)
    }
    return lines
  }
}
