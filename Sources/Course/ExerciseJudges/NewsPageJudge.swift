package import MemlabKit

/// What the judge needs of a page.
package protocol NewsPageUnderStudy: AnyObject {
  /// Each notice that it has heard, in order.
  var notices: [String] { get }
  /// A page that has never appeared.
  init(centre: NoticeCentre)
  /// Is called each time the page comes on the screen.
  func appear()
}

/// Posts notices to those who observe it. It lives as long as the app.
package final class NoticeCentre {
  /// The name of a block at one centre.
  package struct Token: Hashable, Sendable { fileprivate let number: Int }

  private var blocks: [(token: Token, call: (String) -> Void)] = []
  private var last = 0

  /// Calls a block for each notice, until its token is handed back.
  ///
  /// - Returns: what ``remove(_:)`` takes.
  package func observe(_ block: @escaping (String) -> Void) -> Token {
    last += 1
    let token = Token(number: last)
    blocks.append((token, block))
    return token
  }

  /// Releases the block of this token.
  package func remove(_ token: Token) { blocks.removeAll { $0.token == token } }

  /// How many blocks it holds.
  var blockCount: Int { blocks.count }

  /// Calls each block that is there when it begins, also one that is removed meanwhile.
  ///
  /// - Parameter event: what happens before the first is called.
  func post(_ notice: String, after event: () -> Void = {}) {
    let called = blocks
    event()
    for block in called { block.call(notice) }
  }
}

/// Exercise 24: pages, and the centres that they observe.
package final class NewsPageJudge<Page: NewsPageUnderStudy>: JudgeStage, Judge {
  private var centres: [NoticeCentre] = []
  private var posted: [[String]] = []
  private var pages: [(page: Page, home: Int)] = []
  private var (lost, there, left) = (0, 0, 0)

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("told") { [$0.postEarly, $0.appear, $0.post, $0.drop] }
    ending("again") { [$0.appear, $0.post, $0.appear, $0.appear, $0.post, $0.drop] }
    // There is no token to hand back.
    ending("unseen", blocks: 0) { [$0.postEarly, $0.drop] }
    // The centre still calls the block of a page that is gone. And nobody has asked the page.
    ending("moment") { [$0.appear, $0.appear, $0.dropWhilePosting] }
    // The third page is at another centre, where the tokens are the same again.
    ending("others", homes: [0, 0, 1], blocks: 3) {
      [$0.appear, $0.appear, $0.post, $0.dropSecond, $0.post, $0.drop]
    }
  }

  private static func ending(
    _ name: String, homes: [Int] = [0], blocks: Int = 1, steps: @escaping Steps<NewsPageJudge>
  ) -> Ending {
    Ending(
      name, ["NewsPage": homes.count],
      figures: ["noticesLost": 0, "blocksThere": blocks, "blocksLeft": 0], on: NewsPageJudge.init
    ) { stage in [{ try stage.open(homes) }] + steps(stage) + [stage.setFigures] }
  }

  private func setFigures() {
    lab.ledger.setMetrics(["noticesLost": lost, "blocksThere": there, "blocksLeft": left])
  }

  private func open(_ homes: [Int]) throws {
    centres = Set(homes).map { _ in AppWide.keep(NoticeCentre(), for: lab.ledger) }
    posted = centres.map { _ in [] }
    let text = "two pages are made for one centre, and one for another"
    try lab.step(homes.count == 1 ? "a page is made" : text) {
      pages = homes.map { (Page(centre: centres[$0]), $0) }
    }
  }

  private func appear() throws {
    try lab.step("appear() is called") { for (page, _) in pages { page.appear() } }
  }

  private func postEarly() throws {
    try lab.step("a notice is posted before the page appears") { centres[0].post(Secret.word()) }
    compare()
  }

  private func post() throws {
    // A notice may come again, also at once.
    let notices = centres.map { _ in Secret.words(4) }.map { $0 + [$0[3], $0[0]] }
    try lab.step(centres.count == 1 ? "six notices are posted" : "each centre posts six notices") {
      for (centre, texts) in zip(centres, notices) { for text in texts { centre.post(text) } }
    }
    posted = zip(posted, notices).map { $0 + $1 }
    compare()
  }

  private func compare() {
    let missing = pages.reduce(0) { sum, entry in
      sum + posted[entry.home].count - entry.page.notices.right(of: posted[entry.home])
    }
    lost = max(lost, missing)
  }

  private func dropSecond() throws {
    try leave("the second page is dropped") { _ = pages.remove(at: 1) }
  }

  private func dropWhilePosting() throws {
    try leave("a notice is posted, and the page is dropped before its block is called") {
      centres[0].post(Secret.word()) { pages = [] }
    }
  }

  private func drop() throws {
    try leave(pages.count == 1 ? "the page is dropped" : "the others are dropped") { pages = [] }
  }

  private func leave(_ text: String, _ event: () -> Void) throws {
    there = max(there, blocks)
    try lab.release(text) {
      event()
      // At once: what the end of a page only begins is not done when the next notice comes.
      left += max(0, blocks - pages.count)
    }
  }

  private var blocks: Int { centres.reduce(0) { $0 + $1.blockCount } }
}
