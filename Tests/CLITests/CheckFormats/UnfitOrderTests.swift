import Foundation
import MemlabKit
import TestSupport
import Testing

@Suite("A check in an order that its ending has not", .needsVirtualTime) struct UnfitOrderTests {
  private static let complaint = "the order does not fit the ending 'drop': "

  private static func output(_ format: String) throws -> String {
    let run = try MemlabBinary.run([
      "check", "retain-cycle", "--ending", "drop", "--schedules", "replay:5=2", "--format", format,
    ])
    #expect(run.exitCode == 64)
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
    let root = try JUnitParser.parse(Self.output("junit"))
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
