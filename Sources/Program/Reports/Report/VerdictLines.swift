package import MemlabKit
package import MemlabTerminalText

/// The last word on a trial.
package enum VerdictLines {
  /// The verdict, and what differs from the declaration.
  package static func lines(for trial: TrialReport, width: Int) -> [StyledText] {
    let manner = trial.asExpected ? "as expected" : "NOT as expected"
    let line: StyledText =
      "    " + verdict(trial.verdict) + ", "
      + StyledText(manner, trial.asExpected ? nil : .emphasis)
      + StyledText(" · " + summary(of: trial))
    return [line]
      + trial.differences.flatMap {
        ProseLines.item($0, indent: "      ", width: width)
      }
  }

  /// A verdict as the report shouts it.
  package static func verdict(_ verdict: Verdict) -> StyledText {
    switch verdict {
    case .clean: StyledText("CLEAN", .clean)
    case .leak: StyledText("LEAKS", .leaked)
    case .race: StyledText("RACES", .leaked)
    case .split: StyledText("SPLITS", .leaked)
    }
  }

  /// What is left, as a sentence without its full stop: "2 objects and 1 task stay alive".
  package static func summary(of trial: TrialReport) -> String { saying(of: trial).inWords }

  /// The same with places for the numbers.
  package static func saying(of trial: TrialReport) -> Saying {
    let left = [(trial.aliveObjects, "object"), (trial.liveTasks, "task")].filter { $0.0 > 0 }
    guard trial.verdict == .leak || trial.verdict == .clean, !left.isEmpty else {
      return Saying(remainder(of: trial))
    }
    let names = left.enumerated().map { place, kind in
      "#\(place + 1) \(kind.1)" + (kind.0 == 1 ? "" : "s")
    }
    let isOne = left.map(\.0) == [1]
    return Saying(
      "\(names.joined(separator: " and ")) \(isOne ? "stays" : "stay") alive",
      values: left.map { "\($0.0)" })
  }

  /// What is left, for a table: "2 objects, 1 task".
  static func remainder(of trial: TrialReport) -> String {
    switch trial.verdict {
    case .race:
      let lost = trial.metrics[.lostUpdates]
      return lost.map { counted($0, "update") + " lost" } ?? "the outcome depends on the order"
    case .split: return "the values were shared out"
    case .leak, .clean:
      let left = survivors(of: trial)
      guard left.isEmpty else { return left.joined(separator: ", ") }
      let isEmpty = trial.objects.isEmpty && trial.tasks.isEmpty
      return isEmpty ? "no update is lost" : "everything is gone"
    }
  }

  private static func survivors(of trial: TrialReport) -> [String] {
    [(trial.aliveObjects, "object"), (trial.liveTasks, "task")]
      .filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
  }
}
