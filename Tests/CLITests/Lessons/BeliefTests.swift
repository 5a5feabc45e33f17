import Foundation
import MemlabCLI
import TestSupport
import Testing

@Suite("The wrong beliefs in TEACHING.md") struct BeliefTests {
  /// A row of the table: what people say of a scenario, and what refutes it.
  struct Belief: Sendable, CustomTestStringConvertible {
    let scenario: String
    let refutation: String

    var testDescription: String { "\(scenario): \(refutation)" }

    /// The ending, what the step has changed, and what is left in the end, as they are quoted.
    var quotes: [String] { refutation.matches(of: /`([^`]*)`/).map { String($0.1) } }

    var step: Int? { refutation.firstMatch(of: /^`[^`]*`, step (\d+): `/).flatMap { Int($0.1) } }
  }

  @Test(
    "are refuted by the step that is named, with what is measured there", .needsVirtualTime,
    arguments: try BeliefTests.beliefs())
  func refuted(belief: Belief) throws {
    let quotes = belief.quotes
    let step = try #require(belief.step)
    try #require(quotes.count >= 2)
    let report = try Self.report(of: belief.scenario)
    let trial = try #require(report.trials.first { $0.ending == quotes[0] })
    let text = try FirstRuns.text(of: belief.scenario).stdout
    try #require(trial.steps.indices.contains(step - 1))
    #expect(trial.steps[step - 1].changes.contains(quotes[1]))
    for quote in quotes.dropFirst(2) {
      let figure = quote.split(separator: " ")
      let isFigure = figure.count == 2 && trial.metrics?[String(figure[0])] == Int(figure[1])
      #expect(isFigure || Self.result(of: quotes[0], in: text).contains(" · \(quote)"))
    }
  }

  @Test("stand in a table that has not shrunk") func count() throws {
    #expect(try Self.beliefs().count >= 22)
  }

  private struct Report: Decodable {
    struct Trial: Decodable {
      struct Step: Decodable {
        let changes: [String]
      }
      let ending: String
      let steps: [Step]
      let metrics: [String: Int]?
    }
    let trials: [Trial]
  }

  private static func report(of scenario: String) throws -> Report {
    let run = try FirstRuns.json(of: scenario)
    return try JSONDecoder().decode(Report.self, from: Data(run.stdout.utf8))
  }

  /// The verdict's line of an ending of a report.
  private static func result(of ending: String, in text: String) -> Substring {
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("  ending \(ending):") }
    return lines.first { $0.contains(", as expected · ") } ?? ""
  }

  private static func beliefs() throws -> [Belief] {
    let text = try String(contentsOf: Repository.url("Lessons/TEACHING.md"), encoding: .utf8)
    let heading = "## What people believe at first"
    let section = try #require(text.firstRange(of: heading))
    return text[section.upperBound...].split(separator: "\n").prefix { !$0.hasPrefix("## ") }
      .compactMap { line in
        let cells = line.split(separator: "|").map {
          String($0).trimmingCharacters(in: .whitespaces)
        }
        guard cells.count == 3, cells[1].hasPrefix("\"") else { return nil }
        return Belief(scenario: cells[0], refutation: cells[2])
      }
  }
}
