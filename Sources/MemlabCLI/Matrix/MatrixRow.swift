import MemlabKit

/// A pattern with what each of its endings has measured.
struct MatrixRow {
  /// The pattern.
  let scenario: Scenario
  /// What was measured, in the order of its endings.
  let trials: [TrialReport]

  /// The row of a scenario with these trials, one for each of its endings.
  init(_ scenario: Scenario, _ trials: [TrialReport]) {
    (self.scenario, self.trials) = (scenario, trials)
  }

  /// The names of its endings.
  var endings: [String] { scenario.endings.map(\.name) }

  /// What stands in the column of an ending; nothing when there is no such ending.
  func cell(_ ending: String) -> StyledText {
    guard let trial = trials.first(where: { $0.ending == ending }) else { return "" }
    let style: Style = trial.verdict == .clean ? .clean : .leaked
    return StyledText(Self.text(for: trial), style)
      + (trial.asExpected ? "" : StyledText("!", .emphasis))
  }

  private static func text(for trial: TrialReport) -> String {
    guard trial.verdict == .leak else { return trial.verdict.rawValue }
    return [(trial.aliveObjects, "o"), (trial.liveTasks, "t")]
      .filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined(separator: "+")
  }

  /// In what the measurements differ from what the scenario declares.
  func differences(width: Int) -> [StyledText] {
    trials.filter { !$0.asExpected }.flatMap { trial in
      [StyledText("! \(scenario.id), ending \(trial.ending)", .emphasis)]
        + trial.differences.flatMap {
          ProseLines.item($0, indent: "    ", width: width)
        }
    }
  }
}
