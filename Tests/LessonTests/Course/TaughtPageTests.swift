import Foundation
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("The page of what assistants are taught") struct TaughtPageTests {
  private static let path = "Documentation/TaughtAboutTasks.md"

  @Test("has each sentence as it was measured, and no other") func tables() throws {
    let page = try Repository.text(Self.path)
    let renewed = try Self.renewed(page)
    guard page != renewed else { return }
    if Recording.isOn { try Data(renewed.utf8).write(to: Repository.url(Self.path)) }
    let (old, new) = (page.newlineSeparated, renewed.newlineSeparated)
    Issue.record("\(Self.path) is out of date; \(Recording.remedy)")
    for line in new.filter({ !old.contains($0) }) { Issue.record("measured: \(line)") }
    for line in old.filter({ !new.contains($0) }) { Issue.record("not measured: \(line)") }
  }

  @Test("finds a sentence whose measurement was changed, and one that was added")
  func findsChanges() throws {
    let page = try Repository.text(Self.path)
    let row = try #require(page.newlineSeparated.first { $0.contains("| holds |") })
    let changed = page.replacing(row, with: row.replacing("| holds |", with: "| does not hold |"))
    #expect(changed != page)
    #expect(try Self.renewed(changed) == page)
    #expect(try Self.renewed(page.replacing(row, with: row + "\n" + row)) == page)
  }

  /// The page with the tables of what is measured now.
  private static func renewed(_ page: String) throws -> String {
    let rows = try Row.all.get()
    var text = page
    for family in ["taught", "reported"] {
      let (open, close) = ("<!-- measured: \(family) -->\n", "<!-- end of measured -->")
      let start = try #require(text.range(of: open)).upperBound
      let end = try #require(text.range(of: close, range: start..<text.endIndex)).lowerBound
      text.replaceSubrange(start..<end, with: table(of: rows.filter { $0.source.family == family }))
    }
    return text
  }

  private static func table(of rows: [Row]) -> String {
    let sources = rows.map(\.source).reduce(into: [Document]()) { sources, source in
      if !sources.contains(source) { sources.append(source) }
    }
    return "\n| sentence | measured | the ending to run |\n|---|---|---|\n"
      + sources.flatMap { source in
        ["| **[\(source.title)](\(source.file))** | | |"]
          + rows.filter { $0.source == source }.map(\.inMarkdown)
      }.joined(separator: "\n") + "\n\n"
  }
}

/// A sentence of a public text, and what was measured.
private struct Row: Sendable {
  let source: Document
  let claim: ClaimResult
  let run: String

  var inMarkdown: String {
    let reason = claim.because.map { ": \($0)" } ?? ""
    return "| “\(claim.text)” | \(claim.holds ? "holds" : "does not hold")\(reason) | `\(run)` |"
  }

  /// The sentences of all endings whose documents are public threads or teach assistants.
  static let all = Result {
    try Catalog.scenarios.filter { scenario in
      scenario.endings.flatMap(\.claims).contains { isTold($0, in: scenario) }
    }.flatMap(rows)
  }

  private static func isTold(_ claim: Claim, in scenario: Scenario) -> Bool {
    ["taught", "reported"].contains((claim.source ?? scenario.document).family)
  }

  private static func rows(of scenario: Scenario) throws -> [Row] {
    let report = try MemlabBinary.run([scenario.id, "--format", "json"]).exits(0).stdout.decoded(
      as: Report.self)
    return zip(scenario.endings, report.trials).flatMap { ending, trial in
      zip(ending.claims, trial.claims).filter { isTold($0.0, in: scenario) }.map { claim, result in
        Row(
          source: claim.source ?? scenario.document, claim: result,
          run: "memlab \(scenario.id) --ending \(ending.name)")
      }
    }
  }
}
