import FoundationEssentials
import TestSupport
import Testing

@Suite("When the witnesses disagree")
struct DisagreementTests {
  private static let program = Program(MemlabBinary.folder.appending(path: "Disagreement"))

  @Test(
    "memlab says both numbers and ends with 70",
    arguments: [
      ("object", "the ledger counts 0 Liar alive, the heap has 1"),
      ("task", "the ledger counts 0 live tasks, the heap has 1"),
    ])
  func disagreement(ending: String, sentence: String) throws {
    for schedules in [[], ["--schedules", "all"], ["--schedules", "3"]] {
      let run = try Self.program.run(["liar", "--ending", ending] + schedules)
      #expect(run.exitCode == 70)
      #expect(
        run.stderr
          == "Error: liar, ending '\(ending)', step 1: the witnesses disagree: \(sentence)\n")
    }
  }

  @Test("about nothing, a survivor must still be held by whom the scenario declares")
  func undeclaredHolder() throws {
    let run = try Self.program.run(["liar", "--ending", "holder"])
    #expect(run.exitCode == 1)
    #expect(run.stdout.contains("- Liar: the heap has it held by global"), "\(run.stdout)")
    #expect(run.stdout.contains("which is not declared"), "\(run.stdout)")
  }
}
