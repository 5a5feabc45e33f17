import MemlabKit

/// A chain of strong references on a terminal, with the edge to cut underlined; one for all that say
/// the same.
struct ChainLines {
  private let alike: AlikeChains
  private let width: Int
  private var chain: ReferenceChain { alike.chain }

  /// Chains that say the same, in lines of at most this width where names allow it.
  init(_ alike: AlikeChains, width: Int) {
    self.alike = alike
    self.width = width
  }

  /// The chain, with the edge to cut underlined unless it was shown before.
  var lines: [StyledText] {
    let rows = Self.shortened(chain.rows)
    var lines = [title, StyledText("      " + chain.root)]
    for (depth, row) in rows.enumerated() {
      let margin = String(repeating: " ", count: 6 + depth * 3)
      let head = margin + "└─ " + (row.reference.isEmpty ? "" : row.reference + " → ")
      let isLast = depth == rows.count - 1
      let name = StyledText(row.name, isLast ? .leaked : nil)
      let place = row.place.isEmpty ? "" : StyledText("   " + row.place, .dim)
      if (head + row.name).displayWidth + place.width <= width {
        lines.append(StyledText(head) + name + place)
      } else {
        lines.append(StyledText(head) + name)
        if !row.place.isEmpty { lines.append(StyledText(margin) + place) }
      }
      if isLast && chain.endsInCut { lines.append(underline(row.name, after: head)) }
    }
    return lines
  }

  private var title: StyledText {
    let words = alike.words
    let title = StyledText(words.before + chain.type + words.after, .emphasis)
    let source = " (read from the heap; \(alike.found))"
    let fits = 4 + title.width + source.displayWidth <= width
    return "    " + title + StyledText(fits ? source : " (\(alike.found))")
  }

  // A pipeline of operators is a chain of a dozen objects; its beginning and its end tell most.
  private static func shortened(_ rows: [ReferenceChain.Row]) -> [ReferenceChain.Row] {
    guard rows.count > 8 else { return rows }
    let omitted = ReferenceChain.Row(name: "… \(rows.count - 7) more …")
    return Array(rows.prefix(3)) + [omitted] + Array(rows.suffix(4))
  }

  private func underline(_ name: String, after head: String) -> StyledText {
    StyledText(String(repeating: " ", count: head.displayWidth))
      + StyledText(String(repeating: "~", count: name.displayWidth), .leaked)
      + "  the edge to cut"
  }
}
