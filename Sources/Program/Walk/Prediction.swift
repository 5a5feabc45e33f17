package import MemlabKit
import MemlabReports
package import MemlabTerminalText

/// What the reader expects of an ending.
package struct Prediction: Equatable {
  /// How many objects are deinitialised; nil if not predicted.
  package var deinitialised: Int?
  /// How many tasks are still live.
  package var live: Int?
  /// What holds the first object that is left.
  package var held: Cause?
  /// Whether the ending leaves the same behind as the one before it.
  var isSame: Bool?
  /// How long each answer took, in seconds, by its question.
  package internal(set) var seconds: [Question: Double] = [:]

  /// What is asked about an ending.
  package enum Question: String, Sendable {
    /// How many objects are deinitialised.
    case deinitialised
    /// How many tasks are live.
    case live
    /// What holds an object.
    case held
    /// Whether it is like the ending before.
    case same
  }

  /// Reads `deinitialised=0,live=1,held=task`, any parts of it, in any order; nil if it is something
  /// else.
  package init?(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2 else { return nil }
      if words[0] == "held", held == nil, let cause = Cause(rawValue: words[1]) {
        held = cause
        continue
      }
      guard let count = Int(words[1]), count >= 0 else { return nil }
      switch words[0] {
      case "deinitialised" where deinitialised == nil, "deinitialized" where deinitialised == nil:
        deinitialised = count
      case "live" where live == nil: live = count
      default: return nil
      }
    }
  }

  /// No expectation.
  package init() {}

  /// What is said of a prediction beside a measurement.
  package static func verdict(_ isRight: Bool) -> StyledText {
    StyledText(isRight ? "right" : "not what was measured", isRight ? .clean : .emphasis)
  }

  /// The predictions compared with a measurement, a line for each.
  package func lines(for trial: TrialReport) -> [StyledText] {
    let objects = trial.createdObjects
    let ended = "of \(counted(objects, "object")) deinitialised"
    var table = Table(columns: [.text(), .number(), .number(), .text(gutter: 3)])
    table.add(["", "predicted", "measured"], style: .dim)
    let rows = [
      (ended, deinitialised, objects - trial.aliveObjects),
      ("tasks still live", live, trial.liveTasks),
    ]
    for case (let name, let predicted?, let measured) in rows {
      let verdict = Self.verdict(predicted == measured)
      table.add([StyledText(name), "\(predicted)", "\(measured)", verdict])
    }
    return deinitialised == nil && live == nil ? [] : table.lines(indent: 2)
  }

  /// The answers to the questions about the cause, with the step that shows what is right.
  package func replies(about walk: Walk, width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    if let held, let question = walk.causeQuestion {
      lines += [StyledText("  \(question.text)", .emphasis)]
      for sentence in ["You said: \(held.inWords).", question.reply(to: held).inWords] {
        lines += ProseLines.paragraph(sentence, indent: "    ", width: width)
      }
    }
    if let (belief, run) = explanation(about: walk) {
      for sentence in [
        "This follows from a belief: \(belief.sentence)", consequence(of: run, about: walk),
        "See 'memlab beliefs --for \(belief.name)'.",
      ] { lines += ProseLines.paragraph(sentence, indent: "    ", width: width) }
    }
    if let isSame, let before = walk.before {
      let verdict = isSame == walk.isLikeBefore ? "Right" : "Not so"
      let (then, now) = (
        VerdictLines.summary(of: before), VerdictLines.summary(of: walk.film.report)
      )
      let sentence = "\(verdict): ending \(before.ending) has left \(then), and this one \(now)."
      lines += ProseLines.paragraph(sentence, indent: "  ", width: width)
    }
    return lines
  }
}

extension Prediction {
  /// Keeps the number that was answered to a question; of causes, it is the place from 1.
  fileprivate mutating func note(_ number: Int, to question: Question) {
    switch question {
    case .deinitialised: deinitialised = number
    case .live: live = number
    case .held: held = Cause.allCases[number - 1]
    case .same: isSame = number == 1
    }
  }

  /// The answers that were given, each with its words and whether it is right.
  package func answers(about walk: Walk) -> [(question: Question, answer: String, isRight: Bool)] {
    let trial = walk.film.report
    let gone = trial.createdObjects - trial.aliveObjects
    let all: [(Question, String, Bool)?] = [
      deinitialised.map { (.deinitialised, "\($0)", $0 == gone) },
      live.map { (.live, "\($0)", $0 == trial.liveTasks) },
      held.flatMap { held in
        walk.causeQuestion.map { (.held, held.rawValue, $0.answers.contains(held)) }
      }, walk.before.flatMap { _ in isSame }.map { (.same, "\($0)", $0 == walk.isLikeBefore) },
    ]
    return all.compactMap(\.self)
  }

  /// The belief that fits most of the answers, wrong ones among them; nil where there is none.
  package func belief(about walk: Walk) -> BeliefRule? { explanation(about: walk)?.belief }

  /// The belief that fits best, and what it predicts.
  private func explanation(about walk: Walk) -> (belief: BeliefRule, run: ExpectedRun)? {
    let answers = answers(about: walk)
    guard answers.contains(where: { !$0.isRight }) else { return nil }
    let (run, type) = (RecordedRun(of: walk.film), walk.causeQuestion?.type)
    let created = walk.film.report.createdObjects
    let scored = BeliefRule.all.map { belief in
      let expected = belief.expectation(of: run, about: type)
      let fitting = answers.filter { answer in
        switch answer.question {
        case .deinitialised: expected.steps.last.map { created - $0.alive.count } == deinitialised
        case .live: expected.steps.last?.live == live
        case .held: expected.cause == held
        case .same: false
        }
      }
      let score = fitting.contains { !$0.isRight } ? fitting.count : 0
      return (belief: belief, run: expected, score: score)
    }
    // Of those that fit as well, the first.
    guard let best = scored.map(\.score).max(), best > 0 else { return nil }
    return scored.first { $0.score == best }.map { ($0.belief, $0.run) }
  }

  /// What a belief predicts for the end, beside what was measured, as a sentence.
  private func consequence(of expected: ExpectedRun, about walk: Walk) -> String {
    let trial = walk.film.report
    let (created, started) = (trial.createdObjects, trial.startedTasks)
    guard let end = expected.steps.last else { return "" }
    let objects =
      "\(created - end.alive.count) of \(counted(created, "object")) deinitialised, measured "
      + "\(created - trial.aliveObjects)"
    let tasks = "\(end.live) of \(counted(started, "task")) still live, measured \(trial.liveTasks)"
    let cause = expected.cause.flatMap { cause in
      walk.causeQuestion.map { "\($0.type) held by \(cause.inWords)" }
    }
    let parts = [created > 0 ? objects : nil, started > 0 ? tasks : nil, cause].compactMap(\.self)
    return "It predicts: \(parts.joined(separator: "; "))."
  }
}

/// Asks for predictions, a line for each.
package struct PredictionDialog {
  private let output: Output
  private let width: Int

  /// A dialog that asks on an output, in lines of at most a width.
  package init(output: Output, width: Int) { (self.output, self.width) = (output, width) }

  /// Asks for the counts that a trial has, and for the cause.
  ///
  /// - Parameters:
  ///   - walk: what is asked about.
  ///   - prepare: called before each question, with the lines that it takes and those that all
  ///     questions from it on take.
  /// - Returns: the prediction; nil when the answer was `q`, or at the end of the input.
  package func ask(
    about walk: Walk, prepare: (_ lines: Int, _ allLines: Int) throws -> Void
  ) throws -> Prediction? {
    var prediction = Prediction()
    let questions = questions(about: walk)
    for (index, question) in questions.enumerated() {
      try prepare(question.height, questions[index...].reduce(0) { $0 + $1.height })
      let start = RealTime.now()
      guard let answer = try ask(question) else { return nil }
      if let item = question.item, let value = answer.value {
        prediction.note(value, to: item)
        prediction.seconds[item] = (RealTime.now() - start) / .seconds(1)
      }
    }
    if walk.film.report.createdObjects + walk.film.report.startedTasks == 0 {
      if questions.isEmpty { try prepare(1, 1) }
      try output.write("Answer for yourself, then press Enter (q quits). ")
      guard readAnswer() != nil else { return nil }
    }
    return prediction
  }

  private func questions(about walk: Walk) -> [Question] {
    let (objects, tasks) = (walk.film.report.createdObjects, walk.film.report.startedTasks)
    var questions: [Question] = []
    if objects > 0 {
      let text = objects == 1 ? "Is the one object" : "How many of \(objects) objects are"
      questions.append(number("\(text) deinitialised?", .deinitialised, upTo: objects))
    }
    if tasks > 0 {
      let text = tasks == 1 ? "Does the one task" : "How many of \(tasks) tasks"
      questions.append(number("\(text) still live?", .live, upTo: tasks))
    }
    if let question = walk.causeQuestion {
      questions.append(choice(question.text, .held, of: Cause.allCases.map(\.inWords)))
    }
    if let before = walk.before {
      let left = VerdictLines.summary(of: before)
      let text = "Ending \(before.ending): \(left). Is it the same here?"
      questions.append(number(text, .same, upTo: 1))
    }
    return questions
  }

  /// Asks which reference to cut, after a run, and says whether it is enough.
  package func askCut(about walk: Walk) throws {
    guard let question = CutQuestion(about: walk.film) else { return }
    guard case .some(.some(let place)) = try choose(question.text, of: walk.lines(of: question))
    else { return }
    let reply = question.reply(to: question.choices[place]).inWords
    let lines = ProseLines.paragraph(reply, indent: "  ", width: width)
    try output.write(lines.map { $0.plain + "\n" }.joined() + "\n")
  }

  /// Asks which of some answers is right.
  ///
  /// - Returns: the place of the answer, from 0; nil within where none was chosen; nil when the answer
  ///   was `q`, or at the end of the input.
  package func choose(_ text: String, of answers: [String]) throws -> Int?? {
    try ask(choice(text, nil, of: answers)).map { $0.value.map { $0 - 1 } }
  }

  // Spaces around the answer do not count.
  private func readAnswer() -> String? {
    guard let line = readLine() else { return nil }
    let answer = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return answer == "q" ? nil : answer
  }

  /// A question whose answer is a number.
  private struct Question {
    /// What is asked; nil where the answer is no prediction.
    let item: Prediction.Question?
    /// What stands above the prompt.
    var choices: [String] = []
    let prompt: [String]
    let range: ClosedRange<Int>
    /// What another answer is.
    let complaint: String

    var height: Int { choices.count + prompt.count }
  }

  private func number(_ text: String, _ item: Prediction.Question, upTo limit: Int) -> Question {
    Question(
      item: item,
      prompt: prompt(after: limit == 1 ? "\(text) (1 yes, 0 no" : "\(text) (0 to \(limit)"),
      range: 0...limit, complaint: limit == 1 ? "neither 0 nor 1" : "no number from 0 to \(limit)")
  }

  private func choice(
    _ text: String, _ item: Prediction.Question?, of answers: [String]
  ) -> Question {
    let lines = answers.enumerated().flatMap { index, answer in
      (answer.displayWidth <= width - 4 ? [answer] : answer.wrapped(to: width - 4))
        .hanging(behind: "  \(index + 1) ").map(\.plain)
    }
    return Question(
      item: item, choices: text.wrapped(to: width) + lines,
      prompt: prompt(after: "(1 to \(answers.count)"),
      range: 1...answers.count, complaint: "no number from 1 to \(answers.count)")
  }

  // What is typed after a question: a space and a number.
  private static let answerWidth = 4

  private func prompt(after question: String) -> [String] {
    "\(question), Enter skips, q quits)".wrapped(to: width - Self.answerWidth)
  }

  // Asks until the answer is one of the numbers, or none.
  private func ask(_ question: Question) throws -> (value: Int?, Void)? {
    try output.write(question.choices.map { $0 + "\n" }.joined())
    while true {
      try output.write(question.prompt.joined(separator: "\n") + " ")
      guard let line = readAnswer() else { return nil }
      if line.isEmpty { return (nil, ()) }
      if let number = Int(line), question.range.contains(number) { return (number, ()) }
      try output.write("\(quoted(line)) is \(question.complaint).\n")
    }
  }
}
