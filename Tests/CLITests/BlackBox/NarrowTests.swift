import MemlabKit
import MemlabScenarios
import MemlabTerminalText
import TestSupport
import Testing

@Suite("On a narrow terminal") struct NarrowTests {
  @Test(
    "no line of a table is wider, but for one long name", arguments: ["check", "matrix"],
    Slow.all([30, 20, 40, 79, 60], orEach: 4))
  func width(command: String, columns: Int) throws {
    let run = try FirstRuns.run([command], columns: columns).exits(0)
    let wide = run.stdout.newlineSeparated.filter { $0.displayWidth > columns }
    #expect(wide.filter { $0.contains(" ") } == [])
  }

  @Test(
    "no line of a report or of a walk is wider, but for one long name",
    arguments: ["strong-self", "retain-cycle", "flatmap-captured-database"])
  func report(scenario: String) throws {
    for words in [[scenario], ["walk", scenario]] {
      let run = try FirstRuns.run(words, columns: 60).exits(0)
      let wide = run.stdout.newlineSeparated.filter { $0.displayWidth > 60 }
      #expect(wide.filter { $0.drop { " └─·←+".contains($0) }.contains(" ") } == [])
      #expect(run.stdout.contains("deinitialised"))
    }
  }

  @Test(
    "every ending still has a line of its own in a check",
    arguments: Slow.all([30, 40, 60], orEach: 2))
  func endings(columns: Int) throws {
    let lines = try FirstRuns.run(["check"], columns: columns).stdout.newlineSeparated
    let results = lines.filter { $0.hasPrefix("✓   ") }.map { $0.split(separator: " ")[1] }
    #expect(results.map(String.init) == Catalog.scenarios.flatMap { $0.endings.map(\.name) })
    let names = lines.drop { $0 != "  scenario" }.filter {
      $0.hasPrefix("  ") && !$0.hasPrefix("   ")
    }
    #expect(names.dropFirst().map { String($0.dropFirst(2)) } == Catalog.scenarios.map(\.id))
  }

  @Test("the scenario goes first, then the verdict, then what is left") func order() throws {
    let words = ["check", "shared-stream-split", "--ending", "finish"]
    func lines(_ columns: Int) throws -> [String] {
      let lines = try FirstRuns.run(words, columns: columns).stdout.newlineSeparated
      return Array(lines.drop { !$0.contains("scenario") }.prefix { $0 != "" })
    }
    #expect(
      try lines(60) == [
        "  scenario             ending  verdict  what is left",
        "✓ shared-stream-split  finish  split    the values were",
        "                                        shared out",
      ])
    #expect(
      try lines(50) == [
        "  scenario", "    ending  verdict  what is left", "  shared-stream-split",
        "✓   finish  split    the values were shared out",
      ])
    #expect(
      try lines(38) == [
        "  scenario", "    ending  what is left", "  shared-stream-split",
        "✓   finish  the values were shared out",
      ])
    #expect(
      try lines(28) == [
        "  scenario", "    ending", "      what is left", "  shared-stream-split",
        "✓   finish", "      the values were shared", "      out",
      ])
  }

  // On the pool, one cell depends on the order of the jobs.
  @Test("all cells of a matrix are there", .needsVirtualTime) func cells() throws {
    func cells(_ columns: Int) throws -> [String] {
      let text = try FirstRuns.run(["matrix"], columns: columns).stdout
      let isCell = /\d+[ot](\+\d+t)?|clean|split|race/
      return text.split(whereSeparator: \.isWhitespace).map(String.init)
        .filter { $0.wholeMatch(of: isCell) != nil }.sorted()
    }
    let wide = try cells(100)
    for columns in Slow.all([30, 40, 60], orEach: 2) { #expect(try cells(columns) == wide) }
  }

  #if os(Linux)
    @Test("its own width counts", .needsHeap) func terminal() throws {
      let words = ["check", "--family", "broadcast"]
      let terminal = try PseudoTerminal(words, columns: 60)
      let seen = try terminal.wait(for: " skipped").filter { $0 != "\r" && $0 != "\r\n" }
      #expect(terminal.end() == 0)
      #expect(try seen == FirstRuns.run(words, columns: 60).stdout.filter { $0 != "\n" })
    }
  #endif
}
