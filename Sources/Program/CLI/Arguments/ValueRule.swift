import MemlabKit
import MemlabTerminalText

/// What a positional argument or an option accepts as its value.
package enum ValueRule: Sendable, Equatable {
  /// Any text that is not empty.
  case text

  /// Which orders of the same jobs to run, see `SchedulePlan`.
  case schedules

  /// One of a fixed list of words.
  case oneOf([String])

  /// One of a list of two-digit numbers, which may be typed without a leading zero, or a word.
  case numbered([String], or: [String] = [])

  /// A whole number in a range, or one of a few words that stand in for a number.
  case integer(ClosedRange<Int>, or: [String] = [])

  /// The id of a scenario; the parser is given the list.
  case scenario

  /// The name of one of a scenario's endings; the command judges it.
  case ending

  /// The name of a command of the table, or the id of a scenario.
  case topic

  /// A lesson's number, a part of its name, or a scenario that it teaches; the command judges it.
  case lesson

  /// The path of a file.
  case file

  /// One of the cases of an enumeration; `Invocation.choice` reads it back.
  package static func cases<Choice>(of type: Choice.Type) -> ValueRule
  where Choice: CaseIterable & RawRepresentable<String> {
    .oneOf(type.allCases.map(\.rawValue))
  }

  /// The words that help and completions may list for this rule.
  package var listedValues: [String] {
    switch self {
    case .oneOf(let words): words
    case .numbered(let numbers, let words): words + numbers
    case .integer(_, let words): words
    case .text, .schedules, .scenario, .ending, .topic, .lesson, .file: []
    }
  }

  /// Whether a value satisfies the rule.
  ///
  /// - Parameters:
  ///   - value: What the user typed.
  ///   - names: The scenarios and commands that exist.
  func accepts(_ value: String, names: KnownNames) -> Bool {
    switch self {
    case .text, .ending, .lesson, .file: !value.isEmpty
    case .schedules: SchedulePlan(value) != nil
    case .oneOf(let words): words.contains(value)
    case .numbered(let numbers, let words):
      words.contains(value) || numbers.contains(twoDigits(value))
    case .integer(let range, let words):
      words.contains(value) || Int(value).map(range.contains) ?? false
    case .scenario: names.scenarios.contains(value)
    case .topic: names.commands.contains(value) || names.scenarios.contains(value)
    }
  }

  /// The sentence that tells a user which values are accepted.
  var advice: String {
    switch self {
    case .text, .ending, .lesson, .file: "It must not be empty."
    case .schedules:
      "Give a whole number from 1 to \(SchedulePlan.mostOrders), all, all:50000, seed:7 or "
        + "replay:5=2,9=3."
    case .oneOf, .numbered: "Choose one of: \(listedValues.joined(separator: ", "))."
    case .integer(let range, let words): Self.advice(for: range, or: words)
    case .scenario: "Name a scenario."
    case .topic: "Name a command or a scenario."
    }
  }

  private static func advice(for range: ClosedRange<Int>, or words: [String]) -> String {
    let bounds =
      range.upperBound == .max
      ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    let alternatives = words.map { ", or \($0)" }.joined()
    return "Give a whole number \(bounds)\(alternatives)."
  }
}

/// The words a command line may refer to: what exists in this build of the program.
struct KnownNames: Sendable, Equatable {
  /// The names of the commands.
  let commands: [String]
  /// The ids of the scenarios.
  let scenarios: [String]
  /// The names of the families of scenarios.
  var families: [String] = []
}
