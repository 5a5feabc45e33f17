package import MemlabKit
package import MemlabPatterns
import Synchronization

/// A view that shows a thumbnail.
package final class View: WeakMapKey {
  /// Tells a `WeakMapTable` when the view is deinitialised.
  package let deathHook = DeathHook()
  private let probe = Probe(View.self)
}

/// A small picture.
package final class Thumbnail {
  private static let made = Atomic(0)

  /// Tells it from all others, also from one that was at its address before.
  let number = made.add(1, ordering: .relaxed).newValue
  private let probe = Probe(Thumbnail.self)

  /// A thumbnail.
  package init() {}
}

/// What the judge needs of the table.
package protocol ThumbnailsUnderStudy: AnyObject {
  /// An empty table.
  init()
  /// The view's thumbnail, made on first use.
  func thumbnail(for view: View) -> Thumbnail
}

/// Exercise 05: a table of thumbnails.
package enum ThumbnailsJudge<Table: ThumbnailsUnderStudy>: Judge {
  /// The endings of the exercise.
  package static var endings: [Ending] {
    Ending(
      "drop", ["View": 3, "Thumbnail": 3],
      figures: ["afterFirstDrop": 2, "own": 3, "sameAgain": 5]
    ) { try drop(Table(), $0) }
    Ending("scroll", ["View": 20, "Thumbnail": 20]) { lab in
      try lab.reusingMemory { try scroll(Table(), lab) }
    }
  }

  private static func drop(_ table: some ThumbnailsUnderStudy, _ lab: Lab) throws {
    AppWide.keep(table, for: lab.ledger)
    var views: [View] = []
    var numbers: [Int] = []
    try lab.step("three views are shown") {
      views = [View(), View(), View()]
      numbers = views.map { table.thumbnail(for: $0).number }
    }
    lab.ledger.setMetric("own", Set(numbers).count)
    var same = 0
    func ask() { same += zip(numbers, views).count { $0 == table.thumbnail(for: $1).number } }
    try lab.step("the views ask again") { ask() }
    try lab.release("the second view is dropped") { _ = views.remove(at: 1) }
    lab.ledger.setMetric("afterFirstDrop", lab.ledger.totals.object("Thumbnail").alive)
    numbers.remove(at: 1)
    try lab.step("the two that stay ask again") { ask() }
    lab.ledger.setMetric("sameAgain", same)
    try lab.release("the other views are dropped") { views = [] }
  }

  private static func scroll(_ table: some ThumbnailsUnderStudy, _ lab: Lab) throws {
    AppWide.keep(table, for: lab.ledger)
    try lab.step("twenty views are shown and dropped") {
      for _ in 1...20 { _ = table.thumbnail(for: View()) }
    }
  }
}
