import MemlabCLI
import MemlabKit
import TestSupport
import Testing

@Suite("memlab doctor")
struct DoctorTests {
  @Test("finds everything in order, on either scheduler", arguments: ["virtual", "pool"])
  func sound(scheduler: String) throws {
    let run = try MemlabBinary.run(
      ["doctor", "--scheduler", scheduler], environment: ["TERM": "xterm\u{1B}", "LANG": "C.UTF-8"])
    #expect(run.exitCode == 0)
    #expect(run.stderr == "")
    #expect(run.stdout.hasSuffix("\n\nmemlab can be trusted here\n"))
    for text in [
      "memlab         0.1.0", "compiled by    Swift 6.", "/libswiftCore.so",
      "✓ task layout    layout version 1, tasks of 208 bytes", "✓ heap recorder  records",
      "✓ executors ", "✓ heap           a planted graph", "✓ ledger         a planted leak",
      "output         no terminal, 80 columns, no colours",
      "TERM='xterm\\u{1B}', COLUMNS is not set", "LANG='C.UTF-8'",
    ] {
      #expect(run.stdout.contains(text), "\(text)")
    }
  }

  @Test("ends with 70 where the heap cannot be read")
  func unreadHeap() {
    let page = Page()
    #expect(page.run(["doctor"], []) == .untrusted)
    #expect(page.output.contains("\n✗ heap           the heap was not read: a test has none\n"))
    #expect(page.output.contains("\n✓ ledger "))
    #expect(page.output.hasSuffix("\n\nmemlab CANNOT be trusted here\n"))
  }

  @Test("ends with 70 where a planted leak is not seen")
  func blind() {
    let page = Page()
    #expect(page.run(["doctor"], [], selfCheck: Samples.blindSelfCheck) == .untrusted)
    #expect(page.output.contains("\n✗ ledger         the self-check failed: a planted leak"))
  }
}
