import FoundationEssentials
import MemlabKit
import TestSupport
import Testing

@Suite("The five steps of “Swift AsyncStream and memory management”") struct DocumentTableTests {
  struct Cell: Sendable, CustomTestStringConvertible {
    let scenario: String
    let ending: String
    let useCase: Int
    let repo: Int
    let liveTasks: Int

    var testDescription: String { "\(scenario), \(ending)" }
  }

  // Found by hand in a program without memlab, before memlab was written.
  static let cells = [
    Cell(scenario: "strong-self", ending: "cancel", useCase: 0, repo: 0, liveTasks: 1),
    Cell(scenario: "strong-self", ending: "drop", useCase: 0, repo: 0, liveTasks: 2),
    Cell(scenario: "weak-self-guard", ending: "cancel", useCase: 0, repo: 0, liveTasks: 1),
    Cell(scenario: "weak-self-guard", ending: "drop", useCase: 0, repo: 0, liveTasks: 2),
    Cell(scenario: "captured-dependency", ending: "cancel", useCase: 1, repo: 0, liveTasks: 1),
    Cell(scenario: "captured-dependency", ending: "drop", useCase: 1, repo: 0, liveTasks: 2),
    Cell(scenario: "on-termination", ending: "cancel", useCase: 1, repo: 1, liveTasks: 0),
    Cell(scenario: "on-termination", ending: "drop", useCase: 1, repo: 0, liveTasks: 2),
    Cell(scenario: "deinit-finish", ending: "cancel", useCase: 1, repo: 1, liveTasks: 0),
    Cell(scenario: "deinit-finish", ending: "drop", useCase: 1, repo: 1, liveTasks: 0),
  ]

  @Test("measure what was found without memlab", arguments: cells) func cell(_ cell: Cell) throws {
    let run = try MemlabBinary.run([cell.scenario, "--ending", cell.ending, "--format", "json"])
    #expect(run.exitCode == 0)
    let report = try JSONDecoder().decode(Report.self, from: Data(run.stdout.utf8))
    let trial = try #require(report.trials.first)
    #expect(report.trials.count == 1)
    #expect(trial.ending == cell.ending)
    #expect(
      trial.objects == [
        ObjectCount("DataCacheUseCaseImpl", created: 1, deinitialized: cell.useCase),
        ObjectCount("DataCacheRepoImpl", created: 1, deinitialized: cell.repo),
      ])
    #expect(trial.liveTasks == cell.liveTasks)
    #expect(trial.tasks.reduce(0) { $0 + $1.live } == cell.liveTasks)
  }
}
