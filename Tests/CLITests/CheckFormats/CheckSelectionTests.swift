import Foundation
import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("What memlab check is asked to check") struct CheckSelectionTests {
  private static func report(_ words: [String]) throws -> CheckReport {
    try MemlabBinary.run(["check", "--format", "json"] + words).exits(0).stdout.decoded()
  }

  private static func ran(_ words: [String]) throws -> Set<String> {
    Set(try report(words).results.filter { $0.status != .skipped }.map(\.scenario))
  }

  @Test("is what matches a part of a name, a pattern, or any of several") func only() throws {
    func ids(_ isWanted: (String) -> Bool) -> Set<String> {
      Set(Catalog.scenarios.map(\.id).filter(isWanted))
    }
    #expect(try Self.ran(["--only", "inout"]) == ids { $0.contains("inout") })
    #expect(try Self.ran(["--only", "weak-map*"]) == ids { $0.hasPrefix("weak-map") })
    #expect(try Self.ran(["--only", "weak-map-tabl?"]) == ["weak-map-table"])
    #expect(
      try Self.ran(["--only", "inout", "--only", "deinit"])
        == ids { $0.contains("inout") || $0.contains("deinit") })
  }

  @Test("is a family", arguments: App.memlab.families) func family(_ family: String) throws {
    let report = try Self.report(["--family", family])
    let ran = report.results.filter { $0.status != .skipped }
    #expect(Set(ran.map(\.family)) == [family])
    let scenarios = Catalog.scenarios.filter { $0.document.family == family }
    #expect(ran.count == scenarios.flatMap(\.endings).count)
    #expect(report.summary.ran == ran.count)
    #expect(report.summary.ran + report.summary.skipped == report.summary.endings)
  }

  @Test("must pass every filter, and only what is named can be skipped") func together() throws {
    let report = try Self.report(
      ["strong-self", "strong-map-table", "--family", "stream", "--ending", "drop"])
    #expect(report.summary.ran == 1)
    #expect(report.summary.skipped == 4)
  }

  @Test("is counted for people, too") func summary() throws {
    let run = try MemlabBinary.run(["check", "strong-self", "--ending", "drop"])
    #expect(run.stdout.hasSuffix("\n1 scenario, 1 ending: 1 as declared, 0 not; 2 skipped\n"))
  }

  @Test(
    "is bad usage where nothing is left to check",
    arguments: [
      (
        ["--only", "strong-slef"],
        "No scenario matches '--only strong-slef'. See 'memlab list'. Did you mean 'strong-self'?"
      ),
      (
        ["--only", "strong-s*", "--family", "combine"],
        "No scenario matches '--only strong-s* --family"
      ), (["--only", "strong-s*", "--ending", "slow"], "Choose one of: cancel, drop, finish."),
      (["--family", "streams"], "Choose one of: \(App.memlab.families.joined(separator: ", "))."),
      (["--only", ""], "It must not be empty."),
    ])
  func nothing(words: [String], sentence: String) throws {
    try MemlabBinary.run(["check"] + words).exits(64).saysNothing().complains(sentence)
  }
}

@Suite("A check in an order that its ending has not", .needsVirtualTime) struct UnfitOrderTests {
  private static let complaint = "the order does not fit the ending 'drop': "

  private static func output(_ format: String) throws -> String {
    let run = try MemlabBinary.run([
      "check", "retain-cycle", "--ending", "drop", "--schedules", "replay:5=2", "--format", format,
    ]).exits(64)
    #expect(run.stderr.hasPrefix("Error: \(complaint)"))
    return run.stdout
  }

  @Test("is told of in TAP with one version and one plan") func tap() throws {
    let output = try Self.output("tap")
    #expect(TAPRules.problems(of: output) == [])
    #expect(output.contains("\nBail out! \(Self.complaint)"))
  }

  @Test("is told of in JSON") func json() throws {
    let report = try JSONDecoder().decode(CheckReport.self, from: Data(Self.output("json").utf8))
    #expect(report.error?.hasPrefix(Self.complaint) == true)
    #expect(report.summary.ran == 0)
  }

  @Test("is told of in JUnit's XML") func junit() throws {
    let root = try XMLOutline.root(of: Self.output("junit"))
    #expect(JUnitSchema.problems(of: root) == [])
    let error = root.children.last?.children.first?.children.first
    #expect(error?.attributes["type"] == "the check has stopped")
  }

  @Test("is told of to GitHub, and not as if memlab were to blame") func github() throws {
    let output = try Self.output("github")
    #expect(
      output.hasPrefix("::error title=memlab check::The check has stopped: \(Self.complaint)"))
  }

  @Test("says nothing for people but the error") func text() throws {
    #expect(try Self.output("text") == "")
  }
}
