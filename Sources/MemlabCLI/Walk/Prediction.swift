import MemlabKit

/// What the reader expects of an ending.
struct Prediction: Equatable {
  /// How many objects are deinitialised; nil if not predicted.
  var deinitialised: Int?
  /// How many tasks are still live.
  var live: Int?

  /// Reads `deinitialised=0,live=1`, either part of it, in either order; nil if it is something
  /// else.
  init?(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2, let count = Int(words[1]), count >= 0 else { return nil }
      switch words[0] {
      case "deinitialised" where deinitialised == nil, "deinitialized" where deinitialised == nil:
        deinitialised = count
      case "live" where live == nil: live = count
      default: return nil
      }
    }
  }

  /// No expectation.
  init() {}

  /// The predictions compared with a measurement, a line for each.
  func lines(for trial: TrialReport) -> [StyledText] {
    let objects = trial.objects.reduce(0) { $0 + $1.created }
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
    return self == Prediction() ? [] : table.lines(indent: 2)
  }
}

/// The predictions that the command line makes.
struct Predictions {
  private var byEnding: [String: Prediction] = [:]
  private var forAll: Prediction?

  /// Reads every `--predict`.
  ///
  /// - Throws: `UsageError` when one cannot be read, or names an ending that is not walked through.
  init(_ invocation: Invocation, for endings: [Ending]) throws(UsageError) {
    for text in invocation.values("predict") {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let prediction = Prediction(parts.last.map(String.init) ?? "") else {
        throw invocation.usageError(
          "\(quoted(text)) is no prediction. Write deinitialised=<n>,live=<n>, or either of them, "
            + "after the name of an ending and a colon if it is for that one alone.")
      }
      guard parts.count == 2 else {
        forAll = prediction
        continue
      }
      guard let ending = endings.first(where: { $0.name == parts[0] }) else {
        let names = endings.map(\.name).joined(separator: ", ")
        throw invocation.usageError(
          "There is no ending \(quoted(String(parts[0]))) to predict. Choose one of: \(names).")
      }
      byEnding[ending.name] = prediction
    }
  }

  /// What was predicted for an ending; nil when nothing was.
  subscript(ending: Ending) -> Prediction? { byEnding[ending.name] ?? forAll }
}

/// Asks for predictions, a line for each.
struct PredictionDialog {
  let output: Output

  /// Asks for the counts that a trial has.
  ///
  /// - Returns: the prediction; nil when the answer was `q`, or at the end of the input.
  func ask(about trial: TrialReport) throws -> Prediction? {
    var prediction = Prediction()
    let objects = trial.objects.reduce(0) { $0 + $1.created }
    let tasks = trial.tasks.reduce(0) { $0 + $1.started }
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
    if objects + tasks == 0 {
      try output.write("Answer for yourself, then press Enter (q quits). ")
      guard readAnswer() != nil else { return nil }
    }
    return prediction
  }

  // Spaces around the answer do not count.
  private func readAnswer() -> String? {
    guard let line = readLine() else { return nil }
    let answer = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return answer == "q" ? nil : answer
  }

  private func number(_ question: String, upTo limit: Int) throws -> (value: Int?, Void)? {
    while true {
      let answers = limit == 1 ? "1 yes, 0 no" : "0 to \(limit)"
      try output.write("\(question) (\(answers), Enter skips, q quits) ")
      guard let line = readAnswer() else { return nil }
      if line.isEmpty { return (nil, ()) }
      if let number = Int(line), (0...limit).contains(number) { return (number, ()) }
      try output.write(
        "\(quoted(line)) is \(limit == 1 ? "neither 0 nor 1" : "no number from 0 to \(limit)").\n")
    }
  }
}
