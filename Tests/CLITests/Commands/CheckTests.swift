import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabTerminalText
import MemlabWitness
import TestSupport
import Testing

@Suite("memlab check") struct CheckTests {
  @Test("ends with 1 and names each difference when a scenario breaks its word") func broken() {
    let page = Page.run(["check"], [Samples.scenario(claiming: .leak)]).exits(.unexpected)
    let ending = """
      ✗ sample    end     clean    everything is gone
          - verdict: expected leak, measured clean

      """
    #expect(page.stdout.contains("  scenario  ending  verdict  what is left\n" + ending))
    #expect(
      page.stdout.hasSuffix(
        ending + "\nNot as declared: sample end\n1 scenario, 1 ending: 0 as declared, 1 not\n"))
  }

  @Test("ends with 0 when every scenario keeps its word") func kept() {
    let page = Page.run(["check"], [Samples.scenario(claiming: .clean)]).exits(.success)
    #expect(!page.stdout.contains("Not as declared"))
    #expect(page.stdout.hasSuffix("1 scenario, 1 ending: 1 as declared, 0 not\n"))
  }

  @Test("ends with 70 and checks nothing when a planted leak is not seen") func blind() {
    Page.run(["check"], [Samples.scenario(claiming: .clean)], selfCheck: Samples.blindSelfCheck)
      .exits(.untrusted).saysNothing().complains("\nError: the self-check failed: a planted leak")
  }

  @Test("ends with 70 when a step does not come to rest") func restless() {
    Page.run(["check"], [Samples.restless]).exits(.untrusted).complains(
      "\nError: sample, ending 'end', step 1: the counts are still changing")
  }

  @Test("ends with 1 when everything is at rest, but a step has not kept its promise")
  func unkept() {
    let page = Page.run(["check"], [Samples.unkept]).exits(.unexpected)
    #expect(page.stdout.contains("    - step 1, \"nothing comes about\": came to rest without"))
    #expect(page.stderr.contains("Error") == false)
  }

  @Test("runs a scenario once, however often it is named") func named() {
    Page.run(["check", "sample", "sample"], [Samples.scenario(claiming: .clean)]).exits(.success)
      .says("1 scenario, 1 ending")
  }
}

@Suite("memlab run") struct RunTests {
  @Test("ends with 1 and says what differs when a scenario breaks its word") func broken() {
    let page = Page.run(["sample"], [Samples.scenario(claiming: .leak)]).exits(.unexpected)
    #expect(page.stdout.contains("CLEAN, NOT as expected · everything is gone\n"))
    #expect(page.stdout.contains("      - verdict: expected leak, measured clean\n"))
  }

  @Test("sums up several endings at its end, where a terminal still shows it") func summary() {
    let endings = [Verdict.clean, .leak].map { Samples.ending($0, named: $0.rawValue) }
    let page = Page.run(["sample"], [Samples.scenario(with: endings)]).exits(.unexpected)
    let table = """

        all endings of sample
          ending  verdict   what is left
          clean   CLEAN     everything is gone   as expected
          leak    CLEAN     everything is gone   NOT as expected

      next: memlab list

      """
    #expect(page.stdout.hasSuffix(table))
  }

  @Test("goes on with the ledger alone where the heap cannot be read, and says so")
  func unreadHeap() {
    Page.run(["sample"], [Samples.scenario(claiming: .clean)]).exits(.success).says(
      "\nthe heap was not read: a test has none\n", "CLEAN, as expected")
  }

  @Test(
    "ends with 70 and runs nothing where the heap cannot be read but has to be",
    arguments: [["sample", "--require-heap"], ["check", "--require-heap"], ["graph", "sample"]])
  func requiredHeap(words: [String]) {
    let page = Page.run(words, [Samples.scenario(claiming: .clean)]).exits(.untrusted).saysNothing()
    #expect(page.stderr == "Error: the heap was not read: a test has none\n")
  }

  @Test("has written every step that was over before a scenario trapped") func trapping() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
      let app = App(scenarios: [Samples.trapping], heap: RealHeap.self)
      let session = Session(app, scheduler: { _ in ImpatientScheduler() })
      _ = Memlab(session: session).run(["sample"])
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains("    1 all is well"))
    #expect(!output.contains("    2 "))
  }
}
