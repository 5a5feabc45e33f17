package import MemlabKit
package import MemlabTerminalText

/// A listing for people: the place it comes from, and its lines with their numbers.
package enum ListingLines {
  /// The lines; one that is too wide goes on in the next, which has a mark in place of a number.
  package static func lines(of listing: Listing, width: Int) -> [StyledText] {
    let code = listing.code.split(separator: "\n", omittingEmptySubsequences: false)
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
