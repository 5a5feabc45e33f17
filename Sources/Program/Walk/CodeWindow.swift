package import MemlabHeapModel
package import MemlabKit
package import MemlabTerminalText

/// The code under study, with a mark at each line that a step runs or that a task waits at.
package struct CodeWindow {
  private let listings: [Listing]
  private let waiters: [HeapWaiter]
  private let deciding: DecidingLines
  // The first property that keeps an object alive in the end.
  private let cut: String?
  private let width: Int

  /// The code of a walk at a moment; nil is before anything has run.
  package init(_ walk: Walk, _ moment: Moment?, width: Int) {
    listings = Listing.of(walk.scenario, in: walk.ending)
    waiters = moment?.heap?.tasks ?? []
    deciding =
      moment.map { DecidingLines(after: $0.step) }
      ?? DecidingLines(asking: walk.scenario.question(before: walk.ending))
    let paths = moment == nil ? [] : walk.film.report.heap?.paths ?? []
    cut =
      paths.lazy.compactMap { if case .field(let name, _) = $0.holder { name } else { nil } }.first
    self.width = width
  }

  /// How many lines it takes to show the deciding code as a whole.
  var fullHeight: Int { (chosen?.code.count ?? 0) + 1 }

  /// The lines that tasks wait at, alone.
  var markedLines: [StyledText] {
    listings.flatMap { listing in
      let places = marks(in: listing).keys.sorted()
      let title = places.isEmpty ? [] : [StyledText("  \(listing.path)", .dim)]
      return title + lines(places, of: listing, listing.lines)
    }
  }

  /// Some lines of the listing that the step runs, in which a task waits, or that declares what keeps
  /// an object in the end, or of the first listing.
  ///
  /// The line that decides stands in the middle, and what is left out above and below is counted.
  ///
  /// - Parameter height: The number of lines, 1 or more.
  package func lines(height: Int) -> [StyledText] {
    guard let (listing, code, focus) = chosen else { return [] }
    let room = min(height - 1, code.count)
    let start = max(0, min(focus - room / 2, code.count - room))
    let number = listing.line + start
    let parts = [(start, "above"), (code.count - start - room, "below")].filter { $0.0 > 0 }
      .map { "\($0.0) more \($0.1)" }.joined(separator: ", ")
    let rest = StyledText(parts.isEmpty ? "" : " · \(parts)", .dim)
    let title = "  \(listing.path):\(number)"
    let shown = title.displayWidth + rest.width > width ? "  \(listing.fileName):\(number)" : title
    return [StyledText(shown, .dim) + rest] + lines(start..<start + room, of: listing, code)
  }

  private var chosen: (listing: Listing, code: [Substring], focus: Int)? {
    let ways: [(Listing) -> Int?] = [
      { deciding.first(in: $0.lines) }, { marks(in: $0).keys.min() }, { cut.flatMap($0.place) },
      { _ in 0 },
    ]
    for way in ways {
      for listing in listings {
        if let focus = way(listing) { return (listing, listing.lines, focus) }
      }
    }
    return nil
  }

  private func lines(
    _ places: some Sequence<Int>, of listing: Listing, _ code: [Substring]
  ) -> [StyledText] {
    let (start, marks) = (listing.line, marks(in: listing))
    let digits = "\(start + code.count)".count
    return places.map { place in
      let sign = marks[place] == nil ? StyledText("  ") : StyledText("▶ ", .emphasis)
      let margin = sign + StyledText("\(start + place)".padded(to: digits, .right) + "  ", .dim)
      let note = marks[place].map { StyledText("  ◀ \($0)", .emphasis) } ?? ""
      let room = max(8, width - margin.width - note.width)
      return margin + SwiftCode.styled(String(code[place]).truncated(to: room)) + note
    }
  }

  /// Which tasks wait at lines of a listing, by the indices of the lines.
  private func marks(in listing: Listing) -> [Int: String] {
    let (start, indices, file) = (listing.line, listing.lines.indices, listing.fileName)
    var names: [Int: [String]] = [:]
    for waiter in waiters {
      for place in waiter.frames.compactMap(\.location) where place.file == file {
        names[place.line - start, default: []].append(waiter.name)
      }
    }
    return names.filter { indices.contains($0.key) }
      .mapValues { $0.uniqued().joined(separator: ", ") + " waits" }
  }
}

extension Listing {
  /// Whether a line is one of its own.
  package func has(_ place: CodeLocation) -> Bool {
    place.fileName == fileName && (line..<(line + lines.count)).contains(place.line)
  }

  /// The line that begins the closure which another line is in: there, its captures can be changed.
  ///
  /// - Parameter place: a line in the closure, such as the one at which its task waits.
  /// - Returns: the line of the capture list or of the opening brace; nil where the listing does not
  ///   have it.
  package func closure(around place: CodeLocation) -> CodeLocation? {
    guard has(place) else { return nil }
    let lines = lines
    var depth = lines[place.line - line].indentation
    for index in (0..<(place.line - line)).reversed() {
      let text = lines[index].drop { $0 == " " }
      guard !text.isEmpty, lines[index].indentation <= depth else { continue }
      let isCaptureList = text.hasPrefix("[") && text.hasSuffix(" in")
      guard isCaptureList || lines[index].indentation < depth else { continue }
      depth = lines[index].indentation
      let isBlock = Self.blocks.contains { text.hasPrefix($0) }
      if isCaptureList || !isBlock { return CodeLocation(file: place.file, line: line + index) }
    }
    return nil
  }

  // What stands before a brace that does not begin a closure.
  private static let blocks = [
    "for ", "while ", "if ", "guard ", "do ", "switch ", "case ", "default:", "repeat ", "defer ",
    "}",
  ]
}

extension Substring { fileprivate var indentation: Int { prefix { $0 == " " }.count } }

/// A listing for people: the place it comes from, and its lines with their numbers.
package enum ListingLines {
  /// The lines; one that is too wide goes on in the next, which has a mark in place of a number.
  package static func lines(of listing: Listing, width: Int) -> [StyledText] {
    let code = listing.lines
    let digits = "\(listing.line + code.count - 1)".count
    let room = max(8, width - digits - 4)
    return [StyledText("\(listing.path):\(listing.line)", .dim)]
      + code.enumerated().flatMap { index, text in
        BrokenLine.pieces(of: String(text), width: room).enumerated().map { part, piece in
          let number = part == 0 ? "\(listing.line + index)" : BrokenLine.mark
          return StyledText("  \(number.padded(to: digits, .right))", .dim)
            + (piece.width == 0 ? "" : "  " + piece)
        }
      }
  }
}
