import Foundation
import MemlabCLI
import MemlabKit
import MemlabScenarios
import MemlabTerminalText
import TestSupport
import Testing

@Suite("memlab walk without a terminal") struct WalkPrintingTests {
  @Test(
    "walks through every ending of every scenario, and asks before it what is declared for it",
    .needsVirtualTime, arguments: Catalog.scenarios)
  func catalog(scenario: Scenario) throws {
    // What people believe is answered in every ending, and refuted in one at least.
    let belief = scenario.beliefs.first
    let answer = belief.map { ["--predict", "held=\($0.cause)"] } ?? []
    let run = try MemlabBinary.run(["walk", scenario.id] + answer)
    #expect(run.exitCode == 0)
    let text = run.stdout.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let belief {
      #expect(text.contains("\(belief.because) But step "), "\(scenario.id): \(belief.cause)")
    }
    #expect(run.stderr == "")
    let lines = run.stdout.newlineSeparated
    #expect(lines.filter { $0.hasSuffix("the result") }.count == scenario.endings.count)
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])

    let openings = run.stdout.components(separatedBy: "before the run\n").dropFirst()
    try #require(openings.count == scenario.endings.count)
    for (ending, opening) in zip(scenario.endings, openings) {
      let text = opening.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let question = scenario.question(before: ending)
      #expect(text.hasPrefix("This ending: \(ending.title). \(question) "), "\(ending.name)")
    }
  }

  @Test("tells step by step what run tells at the end", .needsHeap) func lastStep() throws {
    let walk = try MemlabBinary.run(["walk", "strong-self", "--ending", "cancel"]).stdout
    let last = try #require(walk.components(separatedBy: "step 6 of 6").last)
    #expect(last.contains("DataCacheUseCaseImpl        1              0      1\n"))
    #expect(last.contains("DataCacheUseCaseImpl ←   task forwarder\n"))
    #expect(last.contains("- variable repository, released\n"))
  }

  @Test("shows a variable that holds, until it is set to nil", .needsHeap) func variables() throws {
    let walk = try MemlabBinary.run(["walk", "retain-cycle", "--ending", "drop"]).stdout
    let steps = walk.components(separatedBy: " of 3\n").dropFirst().map { step in
      ["variable planet", "variable moon"].map { name in
        step.contains(name + "\n") ? "+" : step.contains("- " + name) ? "-" : " "
      }
    }
    #expect(steps == [["+", "+"], ["+", "-"], ["-", " "]])
  }

  @Test("says the same on the pool") func pool() throws {
    let words = ["walk", "on-termination", "--ending", "drop"]
    let pool = try MemlabBinary.run(words + ["--scheduler", "pool"])
    #expect(pool.exitCode == 0)
    #expect(pool.stdout.contains("LEAKS, as expected · 1 object and 2 tasks stay alive"))
  }

  @Test("ends with 1 when a scenario breaks its word") func broken() {
    let page = Page()
    let words = ["walk", "sample", "--all", "--predict", "deinitialised=1"]
    #expect(page.run(words, [Samples.scenario(claiming: .leak)]) == .unexpected)
    #expect(page.output.contains("  of 1 object deinitialised          1         1   right\n"))
    #expect(page.output.contains("CLEAN, NOT as expected"))
  }

  @Test(
    "understands predictions", .needsHeap,
    arguments: [
      ("deinitialised=0", true), ("live=2", true), ("live=2,deinitialised=1", true),
      ("deinitialized=1", true), ("cancel:live=1", true), ("held=task", true),
      ("held=ghost", false), ("live=-1", false), ("live", false),
      ("objects=1", false), ("live=1,live=2", false), ("nope:live=1", false), ("cancel:", false),
      ("live=1,", false), ("live=99999999999999999999", false),
    ])
  func predictions(text: String, isUnderstood: Bool) throws {
    let run = try MemlabBinary.run(["walk", "strong-self", "--ending", "cancel", "--predict", text])
    #expect(run.exitCode == (isUnderstood ? 0 : 64))
    let isAnswered = run.stdout.contains("predicted") || run.stdout.contains("You said: ")
    #expect(isAnswered == isUnderstood)
  }
}
