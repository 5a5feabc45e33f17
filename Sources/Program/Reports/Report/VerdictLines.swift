package import MemlabKit
package import MemlabTerminalText

/// The last word on a trial.
package enum VerdictLines {
  /// The verdict, and what differs from the declaration.
  package static func lines(for trial: TrialReport, width: Int) -> [StyledText] {
    let manner = trial.asExpected ? "as expected" : "NOT as expected"
    let line: StyledText = "    " + verdict(trial.verdict) + ", "
    let end = StyledText(manner, trial.asExpected ? nil : .emphasis)
    return [line + end + StyledText(" · " + summary(of: trial))]
      + trial.differences.flatMap { ProseLines.item($0, indent: "      ", width: width) }
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
    let left = trial.left
    guard trial.verdict == .leak || trial.verdict == .clean, !left.isEmpty else {
      return Saying(remainder(of: trial))
    }
    let names = left.enumerated().map { "#\($0 + 1) \($1.what)" + ($1.count == 1 ? "" : "s") }
    let verb = left.map(\.count) == [1] ? "stays" : "stay"
    return Saying(
      "\(names.joined(separator: " and ")) \(verb) alive", values: left.map { "\($0.count)" })
  }

  /// What is left, for a table: "2 objects, 1 task".
  static func remainder(of trial: TrialReport) -> String {
    switch trial.verdict {
    case .race:
      let lost = trial.metrics[.lostUpdates]
      return lost.map { counted($0, "update") + " lost" } ?? "the outcome depends on the order"
    case .split: return "the values were shared out"
    case .leak, .clean:
      guard trial.left.isEmpty else {
        return trial.left.map { counted($0.count, $0.what) }.joined(separator: ", ")
      }
      let isEmpty = trial.objects.isEmpty && trial.tasks.isEmpty
      return isEmpty ? "no update is lost" : "everything is gone"
    }
  }
}

extension TrialReport {
  /// How many objects and how many tasks are left; what there is none of is left out.
  package var left: [(count: Int, what: String)] {
    [(aliveObjects, "object"), (liveTasks, "task")].filter { $0.0 > 0 }
  }
}

/// What the document says, and of each of its claims whether it holds.
package enum ClaimLines {
  /// The document's sentences, and of each whether it holds.
  package static func lines(of trial: TrialReport, width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    var source: String?
    for claim in trial.claims {
      if source != claim.said {
        lines += claim.said.wrapped(to: width - 4).map { StyledText("    " + $0) }
      }
      source = claim.said
      let verdict = claim.holds ? "holds" : "does not hold"
      let reason = claim.because.map { " — \($0)" } ?? ""
      let words = "\(verdict): “\(claim.text)”\(reason)".wrapped(to: width - 8)
      let first = StyledText(String(words[0].dropFirst(verdict.count)))
      lines.append("      " + StyledText(verdict, .emphasis) + first)
      lines += words.dropFirst().map { StyledText("        " + $0) }
    }
    return lines
  }
}

extension ClaimResult {
  /// Whose sentence it is, as a heading: "what the document says".
  package var said: String { "what \(source?.title ?? "the document") says" }
}

/// A sentence with places for numbers and names, so that it can be said in another language too.
package struct Saying: Sendable, Equatable {
  /// The sentence in English, in which `#1` stands for the first value and `#2` for the second.
  package let text: String
  /// The numbers and names.
  package let values: [String]

  /// A sentence.
  package init(_ text: String, _ values: any CustomStringConvertible...) {
    self.init(text, values: values.map(\.description))
  }

  /// A sentence.
  package init(_ text: String, values: [String]) { (self.text, self.values) = (text, values) }

  /// The sentence in English, with its values.
  package var inWords: String { filling(text) }

  /// A translation of the sentence, with its values.
  package func filling(_ translation: String) -> String {
    // A value may have a `#1` of its own: names of closures do.
    let parts = translation.split(separator: "#", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { said, part in
      guard let place = part.first?.wholeNumberValue, values.indices.contains(place - 1) else {
        return said + "#" + part
      }
      return said + values[place - 1] + part.dropFirst()
    }
  }
}

extension [Saying] {
  /// The sentences in English, one after the other.
  package var inWords: String { map(\.inWords).joined(separator: " ") }
}
