import MemlabKit
package import Patterns

/// A view that shows a thumbnail.
package final class View: WeakMapKey {
  /// Tells a `WeakMapTable` when the view is deinitialised.
  package let deathHook = DeathHook()
  private let probe = Probe(View.self)
}

/// A small picture.
package final class Thumbnail {
  private let probe = Probe(Thumbnail.self)

  /// A view.
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
      hint: "The table must be told that a view is deinitialised. 'memlab weak-map-table' shows a "
        + "table that is: WeakMapTable, with value(forKey:default:).",
      figures: [
        "sameAgain": "is 1 if a view that asks twice gets the same thumbnail.",
        "afterFirstDrop": "is the number of thumbnails when one of the two views is gone.",
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
          explanation: "Each thumbnail is deinitialised with its view, while the table is still "
            + "alive."
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
