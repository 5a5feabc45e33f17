package import MemlabKit

/// What the judge needs of the model of weather screens.
package protocol WeatherUnderStudy: Actor {
  /// What the screens show; nil before anything was loaded.
  var shown: String? { get }
  /// A model that shows nothing yet.
  init(load: @escaping @Sendable (String) async throws -> String)
  /// Loads the weather of a town, and shows it.
  func show(_ town: String) async throws
}

/// Exercise 22: a model, the tasks of its screens, and a model beside it that nobody asks.
package final class WeatherJudge<Model: WeatherUnderStudy>: JudgeStage, Judge {
  private let (questions, failed) = (Seen<(town: String, weather: Awaited<String>)>(), Seen<Void>())
  private var models: [Model] = []
  private var screens: [Task<Void, Never>] = []
  private var expected: String?
  private var (shownRight, loading) = (0, 0)

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("shown", screens: 2, right: 2) { [$0.ask, $0.answer, $0.ask, $0.answer] }
    ending("fails", screens: 3, right: 3, failed: 1) {
      [$0.ask, $0.answer, $0.askInVain, $0.answer, $0.ask, $0.answer]
    }
    ending("cancel", screens: 1, right: 0) { [$0.ask, $0.leave] }
    ending("early", screens: 1, right: 0) { [$0.askAndLeave] }
    // Code that remembers that it was cancelled refuses the next screen.
    ending("again", screens: 2, right: 1) { [$0.ask, $0.leave, $0.ask, $0.answer] }
    // One task for all screens of a model is the wrong one for one of them.
    ending("others", screens: 2, right: 1) { [$0.ask, $0.ask, $0.leave, $0.answer] }
  }

  private static func ending(
    _ name: String, screens: Int, right: Int, failed: Int = 0, steps: @escaping Steps<WeatherJudge>
  ) -> Ending {
    Ending(
      name, ["WeatherModel": 2], tasks: ["screen": screens],
      figures: ["shownRight": right, "failed": failed, "loading": 0, "modelsLeft": 0],
      on: WeatherJudge.init
    ) { [$0.open] + steps($0) + [$0.close] }
  }

  private func open() throws {
    try lab.step("two models are created, and one is used") {
      models = (1...2).map { _ in
        Model { [questions] town in
          try await questions.all.first { $0.town == town }?.weather.get() ?? ""
        }
      }
    }
  }

  private func ask() throws { try play("a screen asks") { start(Secret.word()) } }

  private func askInVain() throws { try play("one asks for an unknown town") { start(nil) } }

  private func leave() throws { try play("the first screen goes away", goAway) }

  private func askAndLeave() throws {
    try play("a screen asks, and goes away at once") {
      start(Secret.word())
      goAway()
    }
  }

  private func start(_ weather: String?) {
    let town = Secret.word()
    questions.add((town, Awaited(value: weather)))
    screens.append(
      Task(probe: "screen") { [model = models[0], failed] in
        do {
          try await model.show(town)
        } catch {
          if error is Awaited<String>.Refused { failed.add(()) }
        }
      })
  }

  private func goAway() { screens.removeFirst().cancel() }

  // Each screen that waits has a load under way, and nobody else has.
  private func play(_ text: String, _ event: () -> Void) throws {
    try lab.step(text, event)
    let underWay = questions.all.count { $0.weather.isUnderWay == true }
    loading = max(loading, abs(underWay - screens.count))
  }

  private func answer() throws {
    expected = questions.all.last?.weather.value ?? expected
    screens = []
    try play("the weather comes", letCome)
    // What all models share is shown by the other one.
    let shown = try lab.awaiting("somebody looks at what is shown") { [models] in
      await [models[0].shown, models[1].shown]
    }
    shownRight += shown == [expected, nil] ? 1 : 0
  }

  private func close() throws {
    try lab.release("the models are dropped") { models = [] }
    lab.ledger.setMetrics([
      "shownRight": shownRight, "failed": failed.all.count, "loading": loading,
      "modelsLeft": lab.ledger.totals.object("WeatherModel").alive,
    ])
    try lab.step("the rest comes", letCome)
  }

  private func letCome() { for question in questions.all { question.weather.come() } }
}
