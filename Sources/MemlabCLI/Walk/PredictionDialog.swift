import MemlabKit

/// Asks for predictions, a line for each.
struct PredictionDialog {
  let output: Output

  /// Asks for the counts that a trial has.
  ///
  /// - Returns: the prediction; nil when the answer was `q`, or when there is nobody to answer.
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

  // Who types a space beside the answer means the answer.
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
