// A page observes a centre each time it appears, and throws the token away. So it hears a notice
// once for each time that it has appeared, and when it is dropped, the centre keeps its blocks, and
// the page with them. The centre lives as long as the app. Fix it so that a page hears each notice
// once from its first appearance on, with one block at the centre, and so that page and block are
// gone when the page is dropped, even in the middle of a notice.

import MemlabKit

/// The page.
final class NewsPage: NewsPageUnderStudy {
  /// Each notice that it has heard, in order.
  private(set) var notices: [String] = []
  private let centre: NoticeCentre
  private let probe = Probe(NewsPage.self)

  /// A page that has never appeared.
  init(centre: NoticeCentre) { self.centre = centre }

  /// Is called each time the page comes on the screen.
  func appear() {
    _ = centre.observe { notice in self.notices.append(notice) }
  }
}
