import Foundation
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("The JSON report, memlab.report/1") struct JSONSchemaTests {
  private static func object(_ scenario: String) throws -> [String: Any] {
    let run = try FirstRuns.json(of: scenario)
    let value = try JSONSerialization.jsonObject(with: Data(run.stdout.utf8))
    return try #require(value as? [String: Any])
  }

  @Test("names its version in its first key") func firstKey() throws {
    let run = try MemlabBinary.run(["strong-self", "--format", "json"])
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.report/1\",\n"))
  }

  @Test("has the promised keys, with the promised types", arguments: Catalog.scenarios.map(\.id))
  func keys(scenario: String) throws {
    let report = try Self.object(scenario)
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
