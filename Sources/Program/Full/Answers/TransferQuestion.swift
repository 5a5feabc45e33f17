import MemlabCLI
import MemlabKit
import MemlabTerminalText
import MemlabWalk

extension Session {
  /// An ending of another scenario about which the same belief is wrong; nil where there is none.
  ///
  /// Those of the same lesson come first. The first that fits is taken: no more are run than are needed.
  ///
  /// - Parameters:
  ///   - belief: what a wrong answer followed from.
  ///   - walk: what was answered wrong.
  func transfer(of belief: BeliefRule, after walk: Walk) throws -> Walk? {
    let others = scenarios.filter { $0.id != walk.scenario.id }
    let isNear = { (scenario: Scenario) in scenario.lesson == walk.scenario.lesson }
    let items = (others.filter(isNear) + others.filter { !isNear($0) }).flatMap { scenario in
      scenario.endings.map { (scenario, $0) }
    }
    let measurements = try EndingMeasurements(
      items, MeasurementRequest(.everyStep(), onDemand: true), in: self)
    for (scenario, ending) in items {
      guard let film = try? measurements.film(in: self).get() else { continue }
      let next = Walk(scenario, ending, film, program: walk.program, place: (1, 1))
      let (run, question) = (RecordedRun(of: film), next.causeQuestion)
      let expected = belief.expectation(of: run, about: question?.type)
      if expected.isWrong(about: question, measured: run.measured) { return next }
    }
    return nil
  }

  /// Keeps what was predicted of an ending, where the learner wants that.
  ///
  /// - Parameter place: where it was asked.
  func keep(
    _ prediction: Prediction, about walk: Walk, for terminal: Terminal, in place: String = "walk"
  ) throws {
    let belief = prediction.belief(about: walk)?.name
    let records = prediction.answers(about: walk).map { answer in
      AnswerRecord(
        item: "\(place)/\(walk.scenario.id)/\(walk.ending.name)/\(answer.question)",
        answer: answer.answer, right: answer.isRight, rule: answer.isRight ? nil : belief,
        seconds: prediction.seconds[answer.question].map { Duration.seconds($0).inTenths })
    }
    try keep(records, for: terminal)
  }
}
