import Foundation
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("What memlab prints of the whole catalog") struct CatalogOutputTests {
  private static let scenarios = Catalog.scenarios

  @Test("lists every scenario with its title, below its document, and nothing else")
  func list() throws {
    let column = (Self.scenarios.map(\.id.count).max() ?? 0) + 2
    var lines: [String] = []
    var document: Document?
    for scenario in Self.scenarios {
      if scenario.document != document { lines.append("  " + scenario.document.title) }
      document = scenario.document
      let padding = String(repeating: " ", count: column - scenario.id.count)
      lines.append("    " + scenario.id + padding + scenario.title)
    }
    let list = try MemlabBinary.run(["list"])
    #expect(list == ProgramResult(stdout: lines.joined(separator: "\n") + "\n"))
  }

  // Fails where a step has a holder that no picture shows: in each ending, each strong reference that
  // the runtime counts must be found, or be a variable with a name.
  @Test("checks every step of every ending of every scenario, and finds all as declared")
  func check() throws {
    let seen = Slow.all(Self.scenarios, orEach: 4)
    let check = try MemlabBinary.run(["check", "--every-step"] + seen.map(\.id)).exits(0)
    let rows = check.stdout.newlineSeparated.filter { $0.hasPrefix("✓ ") || $0.hasPrefix("✗ ") }
      .dropFirst()
    let cells = rows.map { $0.split(separator: " ").prefix(4).map(String.init) }
    let declared = seen.flatMap { scenario in
      scenario.endings.map { ["✓", scenario.id, $0.name, $0.expects.verdict.rawValue] }
    }
    #expect(cells.filter(OtherSwift.canRun) == declared.filter(OtherSwift.canRun))
    let count = declared.count
    #expect(
      check.stdout.hasSuffix(
        "\n\(seen.count) scenarios, \(count) endings: \(count) as declared, 0 not\n"))
  }

  @Test("has a row of the matrix for every scenario, with a cell for each of its endings")
  func matrix() throws {
    let matrix = try FirstRuns.run(["matrix"]).exits(0)
    let rows = matrix.stdout.newlineSeparated.filter { $0.hasPrefix("  ") }
      .map { $0.split(separator: " ").map(String.init) }
    for scenario in Self.scenarios {
      let row = rows.filter { $0.first == scenario.id }
      #expect(row.map(\.count) == [scenario.endings.count + 1], "\(scenario.id): \(row)")
    }
  }
}

@Suite("The five steps of “Swift AsyncStream and memory management”") struct DocumentTableTests {
  // Found by hand in a program without memlab, before memlab was written: how many use cases and how many
  // repositories are deinitialised, and how many tasks are alive.
  private static let found = [
    "strong-self": ["cancel": [0, 0, 1], "drop": [0, 0, 2]],
    "weak-self-guard": ["cancel": [0, 0, 1], "drop": [0, 0, 2]],
    "captured-dependency": ["cancel": [1, 0, 1], "drop": [1, 0, 2]],
    "on-termination": ["cancel": [1, 1, 0], "drop": [1, 0, 2]],
    "deinit-finish": ["cancel": [1, 1, 0], "drop": [1, 1, 0]],
  ]

  @Test("measure what was found without memlab", arguments: found)
  func measured(scenario: String, endings: [String: [Int]]) throws {
    for (ending, found) in endings {
      let words = [scenario, "--ending", ending, "--format", "json"]
      let report = try MemlabBinary.run(words).exits(0).stdout.decoded(as: Report.self)
      let trial = try #require(report.trials.first)
      #expect(report.trials.map(\.ending) == [ending])
      #expect(
        trial.objects == [
          ObjectCount("DataCacheUseCaseImpl", created: 1, deinitialized: found[0]),
          ObjectCount("DataCacheRepoImpl", created: 1, deinitialized: found[1]),
        ], "\(ending)")
      #expect(trial.liveTasks == found[2], "\(ending)")
      #expect(trial.tasks.reduce(0) { $0 + $1.live } == found[2], "\(ending)")
    }
  }
}

@Suite("The JSON report, memlab.report/1") struct JSONSchemaTests {
  @Test("names its version in its first key") func firstKey() throws {
    let run = try MemlabBinary.run(["strong-self", "--format", "json"])
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.report/1\",\n"))
  }

  @Test(
    "has the promised keys, with the promised types",
    arguments: Slow.all(Catalog.scenarios.map(\.id), orEach: 3))
  func keys(scenario: String) throws {
    let report = try FirstRuns.json(of: scenario).stdout.jsonObject()
    #expect(report["scenario"] as? String == scenario)
    let document = try #require(report["document"] as? String)
    #expect(document.hasSuffix(".txt") || document.hasPrefix("https://"))
    #expect(report["asExpected"] as? Bool == true)
    for trial in try #require(report["trials"] as? [[String: Any]]) {
      #expect(trial["ending"] is String)
      #expect(["clean", "leak", "race", "split"].contains(trial["verdict"] as? String))
      #expect(trial["asExpected"] as? Bool == true)
      #expect(trial["metrics"] is [String: Int])
      #expect(trial["steps"] is [[String: Any]])
      #expect(trial["claims"] is [[String: Any]])
      try Self.checkCounts(in: trial)
    }
  }

  private static func checkCounts(in trial: [String: Any]) throws {
    for object in try #require(trial["objects"] as? [[String: Any]]) {
      #expect(object["type"] is String)
      let created = try #require(object["created"] as? Int)
      let deinitialized = try #require(object["deinitialized"] as? Int)
      #expect(object["alive"] as? Int == created - deinitialized)
    }
    var live = 0
    for task in try #require(trial["tasks"] as? [[String: Any]]) {
      #expect(task["name"] is String)
      let started = try #require(task["started"] as? Int)
      let finished = try #require(task["finished"] as? Int)
      #expect(task["live"] as? Int == started - finished)
      live += started - finished
    }
    #expect(trial["liveTasks"] as? Int == live)
  }
}

@Suite("Why something is alive", .needsHeap) struct WhyTests {
  @Test("is said of every task that never finishes", arguments: Catalog.scenarios)
  func tasks(scenario: Scenario) throws {
    let report = try FirstRuns.text(of: scenario.id).stdout
    for block in report.components(separatedBy: "\n  ending ").dropFirst() {
      let left = block.newlineSeparated.filter { $0.hasSuffix("   never finishes") }
        .compactMap { $0.split(separator: "  ").first?.trimmingPrefix(" ") }
      for name in left {
        let isExplained =
          block.contains("why task \(name) never finishes")
          || block.contains(" tasks \(name) never finish")
          || block.contains("      task \(name), suspended in ")
        #expect(isExplained, "\(name)")
      }
    }
  }
}
