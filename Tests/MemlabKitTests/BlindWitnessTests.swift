import Dispatch
import Foundation
import MemlabKit
import TestSupport
import Testing

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
    let text = try HardCases.run(words, environment: Self.elsewhere)
    #expect(text.exitCode == 0, "\(text.stderr)")
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
      _ = try HeapWitness()
      exit(0)
    }
  }
}

private func block(_ gate: DispatchSemaphore) { gate.wait() }

extension String {
  // Prose is wrapped.
  fileprivate var joinedLines: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
