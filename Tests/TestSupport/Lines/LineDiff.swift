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
    let removed = Set(difference.removals.map(\.offset))
    let inserted = Set(difference.insertions.map(\.offset))
    var lines: [(mark: Character, text: String)] = []
    var position = 0
    for index in 0...old.count {
      // What was inserted comes before the next line that both texts have.
      let isRemoved = removed.contains(index)
      if isRemoved { lines.append(("-", old[index])) }
      while !isRemoved, position < new.count, inserted.contains(position) {
        lines.append(("+", new[position]))
        position += 1
      }
      if index < old.count, !isRemoved {
        lines.append((" ", old[index]))
        position += 1
      }
    }
    return lines
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
