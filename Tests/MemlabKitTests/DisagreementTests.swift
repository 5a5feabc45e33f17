import FoundationEssentials
import MemlabKit
import TestSupport
import Testing

@Suite("When the witnesses disagree", .needsHeap) struct DisagreementTests {
  private static let program = Program(MemlabBinary.folder.appending(path: "Disagreement"))

  private static let advice =
    " (name the others with Task(probe:); if a library has started them, say "
    + ".leaving(libraryTasks: 1))"

  @Test(
    "memlab says both numbers and ends with 70",
    arguments: [
      ("object", "the ledger counts 0 Liar alive, the heap has 1"),
      ("task", "the ledger counts 0 live tasks, the heap has 1" + Self.advice),
    ])
  func disagreement(ending: String, sentence: String) throws {
    try expectDisagreement([], ending: ending, sentence: sentence)
  }

  @Test("memlab says so in each order of the jobs", .needsVirtualTime) func orders() throws {
    for schedules in ["all", "3"] {
      try expectDisagreement(
        ["--schedules", schedules], ending: "object",
        sentence: "the ledger counts 0 Liar alive, the heap has 1")
    }
  }

  @Test("a film says so in place of the steps, and has the ending that can be measured")
  func film() throws {
    let run = try Self.program.run(["film", "liar"])
    #expect(run.exitCode == 70)
    let reel = try JSONDecoder().decode(FilmReel.self, from: Data(run.stdout.utf8))
    #expect(reel.endings.map { $0.film == nil } == [true, true, false])
    #expect(
      reel.endings[1].failure
        == "liar, ending 'task', step 1: the witnesses disagree: the ledger counts 0 live tasks, "
        + "the heap has 1" + Self.advice)
    #expect(run.stderr.contains("Error: liar, ending 'object', step 1: the witnesses disagree"))
  }

  private func expectDisagreement(_ words: [String], ending: String, sentence: String) throws {
    let run = try Self.program.run(["liar", "--ending", ending] + words)
    #expect(run.exitCode == 70)
    #expect(
      run.stderr
        == "Error: liar, ending '\(ending)', step 1: the witnesses disagree: \(sentence)\n")
  }

  @Test("about nothing, a survivor must still be held by whom the scenario declares")
  func undeclaredHolder() throws {
    let run = try Self.program.run(["liar", "--ending", "holder"])
    #expect(run.exitCode == 1)
    #expect(run.stdout.contains("- Liar: the heap has it held by global"), "\(run.stdout)")
    #expect(run.stdout.contains("which is not declared"), "\(run.stdout)")
  }
}
