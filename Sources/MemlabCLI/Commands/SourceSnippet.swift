import MemlabKit
import Scenarios

/// The code under study as one text, for a page.
enum SourceSnippet {
  /// A scenario's listings, one below the other; nil where this build has none.
  @Sendable static func text(of scenario: Scenario) -> String? {
    let listings = Listing.of(scenario)
    return listings.isEmpty ? nil : listings.map(\.code).joined(separator: "\n\n")
  }
}
