import MemlabKit

/// What the judge needs of a search model.
package protocol SearchUnderStudy: AnyObject {
  /// The text to search for.
  var query: String { get set }
  /// The text above the results.
  var headline: String { get }
  /// A model with an empty query.
  init()
}

extension Exercise {
  /// Exercise 04, judging this model.
  package static func search<Model: SearchUnderStudy>(_ type: Model.Type) -> Exercise {
    Exercise(
      number: "04", title: "a search model that watches itself",
      lesson: "04-combine-and-its-cancellables", file: "04-search/SearchModel.swift",
      hint: "Follow the references: the model holds the cancellable, the cancellable holds the "
        + "sink, and the sink holds its closure. Which reference does the closure have to the "
        + "model?",
      figures: [
        "headlineLength": "is how many characters the headline has after “swift” was typed: 19 in "
          + "“Results for “swift””, 14 when it was not updated."
      ],
      endings: [
        Ending(
          "drop", "the model is dropped",
          expects: Declaration(
            .clean, objects: [ObjectCount("SearchModel", created: 1, deinitialized: 1)],
            metrics: ["headlineLength": "Results for “swift”".count]),
          explanation: "The subscription belongs to the model and ends with it."
        ) { lab in
          var model: Model?
          try lab.step("a model is created") { model = Model() }
          try lab.step("a query is typed") { model?.query = "swift" }
          lab.ledger.setMetric("headlineLength", model?.headline.count ?? 0)
          try lab.release("the model is dropped") { model = nil }
          withExtendedLifetime(model) {}
        }
      ])
  }
}
