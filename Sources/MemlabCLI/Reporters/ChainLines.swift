import MemlabKit

/// One chain of strong references, from its root down, a row for each closure, function or object.
struct ChainLines {
  private struct Row {
    var reference = ""
    var name: String
    var place = ""
  }

  private let path: HeapPath
  private let links: [HeapLink]
  private let above: String?
  private let width: Int

  /// A chain; where it passes through an object whose own chain was shown, it begins there.
  init(_ path: HeapPath, explained: [String], width: Int) {
    self.width = width
    self.path = path
    let known = path.links.dropLast().lastIndex { $0.isObject && explained.contains($0.to) }
    above = known.map { path.links[$0].to }
    links = known.map { Array(path.links[($0 + 1)...]) } ?? path.links
  }

  /// The chain, with the edge to cut underlined unless it was shown before.
  var lines: [StyledText] {
    let references = counted(path.referencesFound, "strong reference")
    let title = StyledText("why \(path.type) is alive", .emphasis)
    let source = " (read from the heap; \(references))"
    let fits = 4 + title.width + source.displayWidth <= width
    var lines: [StyledText] = [
      "    " + title + StyledText(fits ? source : " (\(references))"),
      StyledText("      " + (above.map { "\($0), see above" } ?? root)),
    ]
    let rows = Self.shortened(links.flatMap(rows))
    for (depth, row) in rows.enumerated() {
      let head = String(repeating: " ", count: 6 + depth * 3) + "└─ " + row.reference
      let isLast = depth == rows.count - 1
      let name = StyledText(row.name, isLast ? .leaked : nil)
      let place = StyledText(row.place, .dim)
      if (head + row.name + row.place).displayWidth <= width {
        lines.append(StyledText(head) + name + place)
      } else {
        lines.append(StyledText(head) + name)
        lines.append(StyledText(String(repeating: " ", count: 6 + depth * 3)) + place)
      }
      if isLast && above == nil { lines.append(underline(row.name, after: head)) }
    }
    return lines
  }

  // A pipeline of operators is a chain of a dozen objects; its beginning and its end tell most.
  private static func shortened(_ rows: [Row]) -> [Row] {
    guard rows.count > 8 else { return rows }
    let omitted = Row(name: "… \(rows.count - 7) more …")
    return rows.prefix(3) + [omitted] + rows.suffix(4)
  }

  private func underline(_ name: String, after head: String) -> StyledText {
    StyledText(String(repeating: " ", count: head.displayWidth))
      + StyledText(String(repeating: "~", count: name.displayWidth), .leaked)
      + "  the edge to cut"
  }

  private var root: String {
    let root = path.root
    switch root.kind {
    case .task:
      return "task \(root.name)" + (root.suspendedIn.map { ", suspended in \($0)" } ?? "")
    case .global: return "global variable \(root.name)"
    case .stack: return "a variable of the current thread"
    case .cycle: return "a cycle with no root: \(root.name)"
    case .unknown: return "nothing that was recorded, by way of \(root.name)"
    }
  }

  // A local variable of a waiting function gets a row for the function first, so that it reads like
  // a capture of a closure.
  private func rows(for link: HeapLink) -> [Row] {
    guard link.isObject else { return [Row(name: link.to, place: place(of: link.to))] }
    switch link.kind {
    case "field": return [Row(reference: (link.name ?? "a property") + " → ", name: link.to)]
    case "capture": return [Row(reference: "captured → ", name: link.to)]
    case "element": return [Row(reference: (link.name ?? "an element") + " → ", name: link.to)]
    case "frame":
      let function = link.name.map { [Row(name: $0, place: place(of: $0))] } ?? []
      return function + [Row(reference: "local variable → ", name: link.to)]
    default: return [Row(reference: (link.name ?? link.kind) + " → ", name: link.to)]
    }
  }

  private func place(of function: String) -> String {
    path.root.frames.first { $0.function == function }?.place ?? ""
  }
}
