import MemlabKit
package import Patterns

/// What shows a thumbnail.
package final class View: WeakMapKey {
  package let deathHook = DeathHook()
  private let probe = Probe(View.self)
}

/// A small picture.
package final class Thumbnail {
  private let probe = Probe(Thumbnail.self)

  package init() {}
}

/// What the judge needs of the table.
package protocol ThumbnailsUnderStudy: AnyObject {
  /// An empty table.
  init()
  /// The view's thumbnail, made on first use.
  func thumbnail(for view: View) -> Thumbnail
}

extension Exercise {
  /// Exercise 05, judging this table.
  package static func thumbnails<Table: ThumbnailsUnderStudy>(_ type: Table.Type) -> Exercise {
    Exercise(
      number: "05", title: "thumbnails that should go with their views",
      lesson: "05-reactors-and-weak-tables", file: "05-thumbnails/Thumbnails.swift",
      hint: "Somebody has to hear that a view is gone. 'memlab weak-map-table' shows a table that "
        + "does: WeakMapTable, with value(forKey:default:).",
      figures: [
        "sameAgain": "is 1 when a view that asks twice is given the same thumbnail.",
        "afterFirstDrop": "is how many thumbnails there are when one of the two views is gone.",
      ],
      endings: [
        Ending(
          "drop", "one of two views is dropped, then the other",
          expects: Declaration(
            .clean,
            objects: [
              ObjectCount("View", created: 2, deinitialized: 2),
              ObjectCount("Thumbnail", created: 2, deinitialized: 2),
            ], metrics: ["afterFirstDrop": 1, "sameAgain": 1]),
          explanation: "Each thumbnail goes with its view, while the table is still there."
        ) { lab in try drop(Table(), lab) }
      ])
  }

  private static func drop(_ table: some ThumbnailsUnderStudy, _ lab: Lab) throws {
    AppWide.keep(table, for: lab.ledger)
    var views: [View] = []
    try lab.step("two views are shown") {
      views = [View(), View()]
      for view in views { _ = table.thumbnail(for: view) }
    }
    try lab.step("the first view asks again") {
      let isSame = table.thumbnail(for: views[0]) === table.thumbnail(for: views[0])
      lab.ledger.setMetric("sameAgain", isSame ? 1 : 0)
    }
    try lab.release("the first view is dropped") { views.removeFirst() }
    lab.ledger.setMetric("afterFirstDrop", lab.ledger.totals.object("Thumbnail").alive)
    try lab.release("the second view is dropped") { views = [] }
  }
}
