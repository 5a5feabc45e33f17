import Scenarios

/// A listing for people: the place it comes from, and its lines with their numbers.
enum ListingLines {
  static func lines(of listing: Listing) -> [StyledText] {
    let code = listing.code.split(separator: "\n", omittingEmptySubsequences: false)
    let width = "\(listing.line + code.count - 1)".count
    return [StyledText("\(listing.path):\(listing.line)", .dim)]
      + code.enumerated().map { index, text in
        let number = "\(listing.line + index)".padded(to: width, .right)
        let line = text.isEmpty ? "" : "  " + SwiftLine.styled(String(text))
        return StyledText("  \(number)", .dim) + line
      }
  }
}
