import Foundation
import MemlabKit
import MemlabWitness
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
    let run = try Self.program.run(["film", "liar"]).exits(70)
    let reel = try JSONDecoder().decode(FilmReel.self, from: Data(run.stdout.utf8))
    #expect(reel.endings.map { $0.film == nil } == [true, true, false])
    #expect(
      reel.endings[1].failure
        == "liar, ending 'task', step 1: the witnesses disagree: the ledger counts 0 live tasks, "
        + "the heap has 1" + Self.advice)
    #expect(run.stderr.contains("Error: liar, ending 'object', step 1: the witnesses disagree"))
  }

  private func expectDisagreement(_ words: [String], ending: String, sentence: String) throws {
    let run = try Self.program.run(["liar", "--ending", ending] + words).exits(70)
    #expect(
      run.stderr
        == "Error: liar, ending '\(ending)', step 1: the witnesses disagree: \(sentence)\n")
  }

  @Test("about nothing, a survivor must still be held by whom the scenario declares")
  func undeclaredHolder() throws {
    try Self.program.run(["liar", "--ending", "holder"]).exits(1).says(
      "- Liar: the heap has it held by global", "which is not declared")
  }
}

/// As on a runtime that keeps a task's state elsewhere: a row of the table is wrong.
@Suite("A second witness that does not see its planted task wait", .needsHeap)
struct BlindWitnessTests {
  private static let sentence = """
    the heap was not read: the heap trace does not know this runtime: the rows task.status, \
    task.cancelledBit, task.runningBit, task.enqueuedBit, task.completeBit of its table do not fit, \
    see memlab doctor --verbose
    """
  private static let elsewhere = ["MEMLAB_ABI_MUTANT": "task.status"]

  @Test("leaves the ledger's counts to stand alone") func alone() throws {
    let run = try HardCases.run(["namesakes", "--ending", "together"], environment: Self.elsewhere)
    #expect(run.exitCode == 0, "\(run.stderr)")
    #expect(run.stdout.joinedLines.contains(Self.sentence), "\(run.stdout)")
  }

  @Test("is told of where many orders are run, in text and in JSON", .needsVirtualTime)
  func schedules() throws {
    let words = ["namesakes", "--ending", "together", "--schedules", "2"]
    let text = try HardCases.run(words, environment: Self.elsewhere).exits(0)
    #expect(text.stdout.joinedLines.hasPrefix(Self.sentence + " namesakes, ending together"))
    #expect(try remark(of: words, in: Self.elsewhere) == Self.sentence)
    #expect(try remark(of: words, in: [:]) == nil)
  }

  private func remark(of words: [String], in environment: [String: String]) throws -> String? {
    struct Document: Decodable { let remark: String? }
    let run = try HardCases.run(words + ["--format", "json"], environment: environment)
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.schedules/1\",\n"))
    return try JSONDecoder().decode(Document.self, from: Data(run.stdout.utf8)).remark
  }

  @Test("ends memlab with 70 where the heap is required") func required() throws {
    let run = try HardCases.run(["namesakes", "--require-heap"], environment: Self.elsewhere)
    #expect(run.exitCode == 70)
    #expect(run.stderr == "Error: \(Self.sentence)\n")
  }

  @Test("says what it cannot tell where only that is unknown, and goes on") func loss() throws {
    let run = try HardCases.run(
      ["namesakes", "--ending", "together"], environment: ["MEMLAB_ABI_MUTANT": "table.keys"])
    #expect(run.exitCode == 0, "\(run.stderr)")
    let sentence = """
      this runtime is not as expected (table.keys): references in dictionaries and sets are shown \
      as memory
      """
    #expect(run.stdout.joinedLines.contains(sentence), "\(run.stdout)")
    #expect(!run.stdout.contains("the heap was not read"))
  }

  // The threads of the pool are all held up, so no scheduler could run a planted task there.
  @Test("proves itself without the help of a scheduler") func withoutScheduler() async {
    await #expect(processExitsWith: .success) {
      let gate = DispatchSemaphore(value: 0)
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 2 {
        Task.detached { block(gate) }
      }
      _ = try RealHeap()
      exit(0)
    }
  }
}

private func block(_ gate: DispatchSemaphore) { gate.wait() }

@Suite("The self-check") struct SelfCheckTests {
  private static func ending(_ verdict: Verdict) -> Ending {
    Ending(
      "plant", "it is planted", expects: .nothing, explanation: "-", judge: { _ in verdict },
      run: { _ in })
  }

  @Test(
    "fails when a planted leak is not seen, and when a clean run is not silent",
    arguments: [(Verdict.clean, Verdict.leak), (.leak, .clean)])
  func wrong(measured: Verdict, planted: Verdict) {
    let check = SelfCheck(leak: Self.ending(measured), clean: Self.ending(measured))
    let error = #expect(throws: SelfCheckError.self) { try check.run(on: ImpatientScheduler()) }
    #expect(error?.description.contains("a planted \(planted) was measured as \(measured)") == true)
  }
}
