import HeapGraph
import MemlabKit
import Scenarios

/// The code under study, with a mark at each line that a task waits at.
struct CodeWindow {
  private let listings: [Listing]
  private let waiters: [HeapWaiter]
  private let width: Int

  /// The code of a walk at a moment; nil is before anything has run.
  init(_ walk: Walk, _ moment: Moment?, width: Int) {
    listings = Listing.of(walk.scenario, in: walk.ending)
    waiters = moment?.heap?.tasks ?? []
    self.width = width
  }

  /// The lines that tasks wait at, alone.
  var markedLines: [StyledText] {
    listings.flatMap { listing in
      let code = lines(of: listing)
      let marked = code.indices.filter { mark(listing.line + $0, of: listing) != nil }
      return marked.isEmpty
        ? [] : [StyledText("  \(listing.path)", .dim)] + marked.map { code[$0] }
    }
  }

  /// Some lines of the listing in which a task waits, or of the first listing.
  ///
  /// - Parameter height: The number of lines, 1 or more.
  func lines(height: Int) -> [StyledText] {
    let busy = listings.first { listing in
      waiters.contains { !$0.names(listing).isEmpty }
    }
    guard let listing = busy ?? listings.first else { return [] }
    let code = lines(of: listing)
    let first = code.indices.first { mark(listing.line + $0, of: listing) != nil } ?? 0
    let room = height - 1
    let start = max(0, min(first - room / 2, code.count - room))
    return [StyledText("  \(listing.path):\(listing.line + start)", .dim)]
      + code.dropFirst(start).prefix(room)
  }

  private func lines(of listing: Listing) -> [StyledText] {
    let code = listing.code.split(separator: "\n", omittingEmptySubsequences: false)
    let digits = "\(listing.line + code.count)".count
    return code.enumerated().map { index, text in
      let number = listing.line + index
      let mark = mark(number, of: listing)
      let sign = mark == nil ? StyledText("  ") : StyledText("▶ ", .emphasis)
      let margin = sign + StyledText("\(number)".padded(to: digits, .right) + "  ", .dim)
      let note = mark.map { StyledText("  ◀ \($0)", .emphasis) } ?? ""
      let room = max(8, width - margin.width - note.width)
      return margin + SwiftCode.styled(String(text).truncated(to: room)) + note
    }
  }

  /// Which tasks wait at a line; nil if none does.
  private func mark(_ line: Int, of listing: Listing) -> String? {
    let names = waiters.filter { $0.names(listing).contains(line) }.map(\.name)
    let unique = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return unique.isEmpty ? nil : unique.joined(separator: ", ") + " waits"
  }
}

extension HeapWaiter {
  /// The lines of a listing that are among the functions in which the task waits.
  fileprivate func names(_ listing: Listing) -> [Int] {
    let end =
      listing.line + listing.code.split(separator: "\n", omittingEmptySubsequences: false).count
    return frames.compactMap(\.location).filter { $0.file == listing.fileName }.map(\.line)
      .filter { (listing.line..<end).contains($0) }
  }
}
