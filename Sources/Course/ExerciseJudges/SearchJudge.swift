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

extension Exercise {
  /// Exercise 04, judging this model.
  package static func search<Model: SearchUnderStudy>(_ type: Model.Type) -> Exercise {
    Exercise(
      number: "04",
      endings: [
        Ending("drop", ["SearchModel": 1], figures: ["headlinesRight": 4]) { try type3($0, type) },
        Ending("unused", ["SearchModel": 1]) { lab in
          var model: Model?
          try lab.step("a model is created") { model = Model() }
          try lab.release("the model is dropped") { model = nil }
          withExtendedLifetime(model) {}
        },
        Ending("two", ["SearchModel": 2], figures: ["modelsRight": 2]) { try useTwo($0, type) },
      ])
  }

  private static func type3<Model: SearchUnderStudy>(_ lab: Lab, _ type: Model.Type) throws {
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

  private static func useTwo<Model: SearchUnderStudy>(_ lab: Lab, _ type: Model.Type) throws {
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
