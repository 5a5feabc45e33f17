import Foundation
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("A question before an ending") struct QuestionTests {
  /// What happens in an ending is in its title and its steps, what the pattern does in its own.
  @Test("speaks of nothing that does not happen in it", arguments: Catalog.scenarios)
  func events(scenario: Scenario) throws {
    let run = try FirstRuns.json(of: scenario.id)
    let report = try JSONDecoder().decode(Shown.self, from: Data(run.stdout.utf8))
    #expect(report.trials.map(\.ending) == scenario.endings.map(\.name))
    for (ending, trial) in zip(scenario.endings, report.trials) {
      let steps = trial.steps.map { ([$0.text] + $0.changes).joined(separator: "; ") }
      let shown = Events.named(
        in: ([scenario.title, ending.title] + steps).joined(separator: "; "))
      let asked = Events.named(in: scenario.question(before: ending))
      #expect(asked.subtracting(shown) == [], "\(ending.name): \(ending.title)")
    }
  }

  private struct Shown: Decodable {
    struct Trial: Decodable {
      struct Step: Decodable {
        let text: String
        let changes: [String]
      }
      let ending: String
      let steps: [Step]
    }
    let trials: [Trial]
  }
}
