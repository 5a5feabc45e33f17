import MemlabCLI
import MemlabKit
package import MemlabTerminalText
import MemlabWalk

/// What came of a question in a lesson.
package enum JudgedAnswer {
  /// The reader has enough.
  case quit
  /// The answers beside what was measured; empty where none was given.
  case judged([StyledText])
}

/// The endings that a question of a lesson is about: those of the command that is shown after it.
struct LessonQuestion {
  private let scenario: Scenario
  private let endings: [Ending]
  private let session: Session
  private let terminal: Terminal
  private let lesson: String

  /// The question before a piece of a lesson; nil where that begins with no run of a scenario.
  init?(before markdown: String, of lesson: String, in session: Session, at terminal: Terminal) {
    guard let command = markdown.split(separator: "\n").first(where: { $0.hasPrefix("$ ") }),
      let words = command.firstMatch(of: /^\$ (?:swift run )?memlab (?:check |walk )?(.*)$/)?.1
        .split(separator: " "),
      let scenario = session.scenarios.first(where: { $0.id == words.first ?? "" })
    else { return nil }
    let named = words.drop { $0 != "--ending" }.dropFirst().first
    endings = scenario.endings.filter { $0.name == named ?? $0.name[...] }
    (self.scenario, self.session, self.terminal) = (scenario, session, terminal)
    self.lesson = String(lesson.prefix(2))
    let others = words.dropFirst().filter { !$0.hasPrefix("-") && $0 != named ?? "" }
    guard !endings.isEmpty, others.allSatisfy({ word in word.contains("=") }) else { return nil }
  }

  /// Asks, and runs what was asked about.
  ///
  /// - Returns: nil where the endings have nothing that can be counted.
  func ask() throws -> JudgedAnswer? {
    let measurements = try EndingMeasurements(
      endings.map { (scenario, $0) }, MeasurementRequest(.everyStep(), onDemand: true), in: session)
    let walks = try endings.map { ending in
      Walk(scenario, ending, try measurements.film(in: session).get(), place: (1, 1))
    }
    let isCountable = walks.contains { walk in
      walk.film.report.createdObjects + walk.film.report.startedTasks > 0
    }
    guard isCountable else { return nil }
    try session.output.write("\n")
    let dialog = PredictionDialog(output: session.output, width: terminal.width)
    return try walks.count == 1 ? ask(about: walks[0], dialog) : askOfEach(walks, dialog)
  }

  private func ask(about walk: Walk, _ dialog: PredictionDialog) throws -> JudgedAnswer {
    guard let prediction = try dialog.ask(about: walk, prepare: { _, _ in }) else { return .quit }
    try session.keep(prediction, about: walk, for: terminal, in: "lesson/\(lesson)")
    return .judged(
      prediction.lines(for: walk.film.report)
        + prediction.replies(about: walk, width: terminal.width))
  }

  private func askOfEach(_ walks: [Walk], _ dialog: PredictionDialog) throws -> JudgedAnswer {
    var table = Table(columns: [.text(), .text(), .text(), .text()])
    table.add(["ending", "predicted", "measured", ""], style: .dim)
    let words = ["everything is gone", "something is left"]
    var records: [AnswerRecord] = []
    for walk in walks {
      let question = "Ending \(walk.ending.name): \(walk.ending.title). Is everything gone then?"
      guard let answer = try dialog.choose(question, of: words) else { return .quit }
      guard let answer else { continue }
      let report = walk.film.report
      let measured = report.aliveObjects + report.liveTasks == 0 ? 0 : 1
      let isRight = answer == measured
      table.add([
        StyledText(walk.ending.name), StyledText(words[answer]), StyledText(words[measured]),
        Prediction.verdict(isRight),
      ])
      let item = "lesson/\(lesson)/\(scenario.id)/\(walk.ending.name)/gone"
      records.append(AnswerRecord(item: item, answer: words[answer], right: isRight))
    }
    try session.keep(records, for: terminal)
    return .judged(records.isEmpty ? [] : table.lines(indent: 2))
  }
}
