package import MemlabKit

/// What the judge needs of a search model.
package protocol SearchUnderStudy: AnyObject, SendableMetatype {
  /// The text to search for.
  var query: String { get set }
  /// The text above the results.
  var headline: String { get }
  /// A model with an empty query.
  init()
}

/// Exercise 04: a search model.
package enum SearchJudge<Model: SearchUnderStudy>: Judge {
  /// The endings of the exercise.
  package static var endings: [Ending] {
    Ending("drop", ["SearchModel": 1], figures: ["headlinesRight": 4], run: type3)
    Ending("unused", ["SearchModel": 1]) { lab in
      var model: Model?
      try lab.step("a model is created") { model = Model() }
      try lab.release("the model is dropped") { model = nil }
      withExtendedLifetime(model) {}
    }
    Ending("two", ["SearchModel": 2], figures: ["modelsRight": 2], run: useTwo)
  }

  @Sendable private static func type3(_ lab: Lab) throws {
    var model: Model?
    var right = 0
    try lab.step("a model is created") { model = Model() }
    for query in [""] + Secret.words(3) {
      try lab.step(query.isEmpty ? "its headline is read" : "a query is typed") {
        if !query.isEmpty { model?.query = query }
      }
      right += model?.headline == "Results for “\(query)”" ? 1 : 0
    }
    lab.ledger.setMetric("headlinesRight", right)
    try lab.release("the model is dropped") { model = nil }
    withExtendedLifetime(model) {}
  }

  @Sendable private static func useTwo(_ lab: Lab) throws {
    var models: [Model] = []
    let queries = Secret.words(2)
    try lab.step("two models are created") { models = [Model(), Model()] }
    try lab.step("a query is typed into each") {
      for (model, query) in zip(models, queries) { model.query = query }
    }
    lab.ledger.setMetric(
      "modelsRight", zip(models, queries).count { $0.headline == "Results for “\($1)”" })
    try lab.release("the models are dropped") { models = [] }
  }
}
