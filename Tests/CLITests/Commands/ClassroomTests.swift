import Foundation
import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabScenarios
import MemlabTerminalText
import TestSupport
import Testing

@Suite("memlab show and memlab hint") struct ShowTests {
  @Test("show every scenario's code from anywhere", arguments: App.memlab.scenarios)
  func show(scenario: Scenario) {
    let page = Page.run(["show", scenario.id], [scenario]).exits(.success).says("\nSources/")
    Self.expectCode(of: scenario, in: page.stdout, columns: 80)
    #expect(page.stdout.newlineSeparated.filter { $0.count > 80 } == [])
  }

  @Test(
    "break lines that are too wide, and lose nothing of them",
    arguments: Slow.all(App.memlab.scenarios, orEach: 4))
  func width(scenario: Scenario) throws {
    let run = try MemlabBinary.run(["show", scenario.id], environment: ["COLUMNS": "40"]).exits(0)
    Self.expectCode(of: scenario, in: run.stdout, columns: 40)
  }

  private static func expectCode(of scenario: Scenario, in output: String, columns: Int) {
    let lines = output.newlineSeparated
    let code = lines.filter { $0.hasPrefix("  ") }
    #expect(code.filter { $0.count > columns } == [])
    #expect(lines.filter { $0.hasSuffix(" ") } == [])
    let shown = code.map { $0.dropFirst(2).trimmingPrefix(/\ *(\d+|↳)/) }.joined()
    let written = Listing.of(scenario).map(\.code).joined()
    #expect(shown.filter { !$0.isWhitespace } == written.filter { !$0.isWhitespace })
  }

  @Test("number the lines as the source file has them") func numbers() throws {
    let run = try MemlabBinary.run(["show", "strong-self"])
    let file = Repository.url("Sources/Course/Scenarios/AsyncStreamMemory/StrongSelf.swift")
    let source = try String(contentsOf: file, encoding: .utf8).newlineSeparated
    let line = "Task(probe: \"forwarder\") {"
    let number = try #require(source.firstIndex { $0.contains(line) }) + 1
    #expect(run.stdout.contains("\n  \(number)      \(line)\n"))
  }

  @Test("say what to do where a scenario's code is not in this build") func missing() {
    let page = Page.run(["show", "sample"], [Samples.scenario(claiming: .clean)]).exits(.untrusted)
    #expect(page.stderr.contains("'sample' is not in this build; mark it in its source"))
  }

  @Test("ask the questions of endings too, and break no command", arguments: App.memlab.scenarios)
  func hints(scenario: Scenario) {
    let lines = Page.run(["hint", scenario.id], [scenario]).exits(.success).stdout.newlineSeparated
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
    #expect(lines.contains { $0.contains("the code: memlab show \(scenario.id)") })
    #expect(lines.contains { $0.hasSuffix("the answer: memlab \(scenario.id)") })
    let own = lines.filter { $0.hasPrefix("  Ending ") }
    #expect(own.count == scenario.endings.filter { $0.question != nil }.count)
  }

  @Test("ask the question and help with it, and run nothing") func hint() {
    let page = Page.run(["hint", "sample"], [Samples.trapping]).exits(.success)
    #expect(page.stdout.contains("\n  What?\n\n  Hint: That.\n"))
  }
}

@Suite("memlab help with a scenario") struct ScenarioHelpTests {
  private static let parser = Memlab(.memlab).parser()

  @Test("names what to type next, and each of it is understood", arguments: App.memlab.scenarios)
  func next(scenario: Scenario) throws {
    let lines = Page.run(["help", scenario.id], [scenario]).exits(.success).stdout.newlineSeparated
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
    let typed = lines.compactMap { $0.firstMatch(of: /^\ \ memlab ([a-z -]+?)(\ {2,}|$)/)?.1 }
    #expect(typed.contains("show \(scenario.id)"))
    #expect(typed.count == 5)
    for line in typed {
      let words = line.split(separator: " ").map(String.init)
      let isRun = words == [scenario.id]
      let invocation = try Sample.invocation(words, by: Self.parser)
      #expect(invocation.command == (isRun ? "run" : words[0]))
      #expect(invocation.positionals == [scenario.id])
    }
  }
}

@Suite("memlab matrix and memlab compare") struct MatrixTests {
  @Test("mark what is not as declared, say what differs, and end with 1") func broken() {
    let sample = Samples.scenario(claiming: .leak)
    let matrix = Page.run(["matrix"], [sample]).exits(.unexpected)
      .says("\n          end\n  sample  clean!\n")
    #expect(
      matrix.stdout.hasSuffix(
        "\n! sample, ending end\n    - verdict: expected leak, measured clean\n"))
    Page.run(["compare", "sample", "sample"], [sample]).exits(.unexpected)
  }

  @Test("end with 0 when everything is as declared") func kept() {
    let page = Page()
    #expect(page.run(["matrix"], [Samples.scenario(claiming: .clean)]) == .success)
    #expect(!page.output.contains("!\n"))
    #expect(
      page.run(["compare", "sample", "sample"], [Samples.scenario(claiming: .clean)]) == .success)
    #expect(!page.output.contains("≠"))
  }

  @Test(
    "fit into 80 columns", arguments: [["matrix"], ["compare", "strong-self", "deinit-finish"]])
  func width(words: [String]) throws {
    let lines = try FirstRuns.run(words).stdout.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
  }
}
