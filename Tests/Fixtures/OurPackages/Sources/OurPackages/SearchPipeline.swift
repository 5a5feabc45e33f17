import Memlab
import OpenCombine

/// An OpenCombine pipeline whose sink holds the object that stores it.
let searchPipeline = Scenario(
  id: "search-pipeline",
  title: "a pipeline whose sink uses self",
  fixedBy: "search-pipeline-weak",
  endings: [
    Ending(
      "drop", "the screen is closed",
      expects: Declaration(
        .leak, objects: [ObjectCount("SearchModel", created: 1, deinitialized: 0)],
        held: ["SearchModel": .aCycle])
    ) { try play($0, "somebody types") { $0.text.send("swift") } },
    Ending(
      "finish", "the pipeline finishes, and then the screen is closed",
      expects: Declaration(
        .clean, objects: [ObjectCount("SearchModel", created: 1, deinitialized: 1)])
    ) { try play($0, "the pipeline finishes") { $0.text.send(completion: .finished) } },
  ])

private func play(_ lab: Lab, _ step: String, _ act: @escaping (Field) -> Void) throws {
  let field = Field()
  @Variable("model") var model: SearchModel?
  try lab.step("a screen is opened") {
    model = SearchModel()
    model?.follow(field)
  }
  try lab.step(step) { act(field) }
  try lab.release("the screen is closed") { model = nil }
}

/// The fix: the sink holds the model weakly.
let searchPipelineWeak = Scenario(
  id: "search-pipeline-weak",
  title: "a pipeline whose sink uses self weakly",
  endings: [
    Ending("drop", "the screen is closed") { lab in
      let field = Field()
      @Variable("model") var model: WeakSearchModel?
      try lab.step("a screen is opened") {
        model = WeakSearchModel()
        model?.follow(field)
      }
      try lab.step("somebody types") { field.text.send("swift") }
      try lab.release("the screen is closed") { model = nil }
    }
  ])

// snippet:code
final class SearchModel {
  private let probe = Probe(SearchModel.self)
  private var results: [String] = []
  private var bag: Set<AnyCancellable> = []

  func follow(_ field: Field) {
    field.text
      .filter { $0.count > 2 }
      .map { "results for \($0)" }
      .sink { self.results.append($0) }
      .store(in: &bag)
  }
}

final class WeakSearchModel {
  private let probe = Probe(WeakSearchModel.self)
  private var results: [String] = []
  private var bag: Set<AnyCancellable> = []

  func follow(_ field: Field) {
    field.text
      .filter { $0.count > 2 }
      .map { "results for \($0)" }
      .sink { [weak self] in self?.results.append($0) }
      .store(in: &bag)
  }
}
// snippet:end

/// A field to type into.
final class Field { let text = PassthroughSubject<String, Never>() }
