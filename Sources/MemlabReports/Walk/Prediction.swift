package import MemlabKit
package import TerminalText

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

  /// The predictions compared with a measurement, a line for each.
  package func lines(for trial: TrialReport) -> [StyledText] {
    let objects = trial.createdObjects
    var table = Table(columns: [.text(), .number(), .number(), .text(gutter: 3)])
    table.add(["", "predicted", "measured"], style: .dim)
    let rows = [
      (
        "of \(counted(objects, "object")) deinitialised", deinitialised,
        objects - trial.aliveObjects
      ),
      ("tasks still live", live, trial.liveTasks),
    ]
    for (name, predicted, measured) in rows {
      guard let predicted else { continue }
      let verdict =
        predicted == measured
        ? StyledText("right", .clean) : StyledText("not what was measured", .emphasis)
      table.add([StyledText(name), StyledText("\(predicted)"), StyledText("\(measured)"), verdict])
    }
    return deinitialised == nil && live == nil ? [] : table.lines(indent: 2)
  }

  /// The answers to the questions about the cause, with the step that shows what is right.
  package func replies(about walk: Walk, width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    if let held, let question = walk.causeQuestion {
      lines +=
        [StyledText("  \(question.text)", .emphasis)]
        + ProseLines.paragraph("You said: \(held.inWords).", indent: "    ", width: width)
        + ProseLines.paragraph(question.reply(to: held).inWords, indent: "    ", width: width)
    }
    if let isSame, let before = walk.before {
      let verdict = isSame == walk.isLikeBefore ? "Right" : "Not so"
      lines += ProseLines.paragraph(
        "\(verdict): ending \(before.ending) has left \(VerdictLines.summary(of: before)), and "
          + "this one \(VerdictLines.summary(of: walk.film.report)).", indent: "  ", width: width)
    }
    return lines
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
  /// - Returns: the prediction; nil when the answer was `q`, or at the end of the input.
  package func ask(about walk: Walk) throws -> Prediction? {
    var prediction = Prediction()
    let trial = walk.film.report
    let objects = trial.createdObjects
    let tasks = trial.startedTasks
    if objects > 0 {
      let question =
        objects == 1
        ? "Is the one object deinitialised?" : "How many of \(objects) objects are deinitialised?"
      guard let answer = try number(question, upTo: objects) else { return nil }
      prediction.deinitialised = answer.value
    }
    if tasks > 0 {
      let question =
        tasks == 1 ? "Does the one task still live?" : "How many of \(tasks) tasks still live?"
      guard let answer = try number(question, upTo: tasks) else { return nil }
      prediction.live = answer.value
    }
    if let question = walk.causeQuestion {
      let causes = Cause.allCases
      guard let answer = try choice(question.text, of: causes.map(\.inWords)) else { return nil }
      prediction.held = answer.value.map { causes[$0] }
    }
    if let before = walk.before {
      let question =
        "Ending \(before.ending): \(VerdictLines.summary(of: before)). Is it the same here?"
      guard let answer = try number(question, upTo: 1) else { return nil }
      prediction.isSame = answer.value.map { $0 == 1 }
    }
    if objects + tasks == 0 {
      try output.write("Answer for yourself, then press Enter (q quits). ")
      guard readAnswer() != nil else { return nil }
    }
    return prediction
  }

  /// Asks which reference to cut, after a run, and says whether it is enough.
  package func askCut(about walk: Walk) throws {
    guard let question = CutQuestion(about: walk.film) else { return }
    let lines = walk.lines(of: question)
    guard let answer = try choice(question.text, of: lines) else { return }
    guard let index = answer.value else { return }
    let reply = ProseLines.paragraph(
      question.reply(to: question.choices[index]).inWords, indent: "  ", width: width)
    try output.write(reply.map { $0.plain + "\n" }.joined() + "\n")
  }

  // Spaces around the answer do not count.
  private func readAnswer() -> String? {
    guard let line = readLine() else { return nil }
    let answer = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return answer == "q" ? nil : answer
  }

  private func number(_ question: String, upTo limit: Int) throws -> (value: Int?, Void)? {
    limit == 1
      ? try number(in: 0...1, after: "\(question) (1 yes, 0 no", elseSaying: "neither 0 nor 1")
      : try number(in: 0...limit, after: "\(question) (0 to \(limit)")
  }

  private func choice(_ question: String, of answers: [String]) throws -> (value: Int?, Void)? {
    let lines =
      question.wrapped(to: width)
      + answers.enumerated().flatMap { index, answer in
        let isShort = answer.displayWidth <= width - 4
        return (isShort ? [answer] : answer.wrapped(to: width - 4)).enumerated().map { part, line in
          (part == 0 ? "  \(index + 1) " : "    ") + line
        }
      }
    try output.write(lines.map { $0 + "\n" }.joined())
    return try number(in: 1...answers.count, after: "(1 to \(answers.count)").map { answer in
      (answer.value.map { $0 - 1 }, ())
    }
  }

  // What is typed after a question: a space and a number.
  private static let answerWidth = 4

  // Asks until the answer is one of these numbers, or none.
  private func number(
    in range: ClosedRange<Int>, after question: String, elseSaying complaint: String? = nil
  ) throws -> (value: Int?, Void)? {
    while true {
      let prompt = "\(question), Enter skips, q quits)".wrapped(to: width - Self.answerWidth)
      try output.write(prompt.joined(separator: "\n") + " ")
      guard let line = readAnswer() else { return nil }
      if line.isEmpty { return (nil, ()) }
      if let number = Int(line), range.contains(number) { return (number, ()) }
      let wanted = complaint ?? "no number from \(range.lowerBound) to \(range.upperBound)"
      try output.write("\(quoted(line)) is \(wanted).\n")
    }
  }
}
