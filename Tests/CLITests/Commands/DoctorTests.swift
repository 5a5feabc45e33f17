import Foundation
import MemlabCLI
import MemlabKit
import MemlabTerminalText
import TestSupport
import Testing

@Suite("memlab doctor")
struct DoctorTests {
  @Test("finds everything in order on the pool", .needsHeap)
  func pool() throws { try sound(scheduler: "pool") }

  @Test("finds everything in order in virtual time", .needsHeap, .needsVirtualTime)
  func virtual() throws { try sound(scheduler: "virtual") }

  private func sound(scheduler: String) throws {
    let run = try MemlabBinary.run(
      ["doctor", "--scheduler", scheduler], environment: ["TERM": "xterm\u{1B}", "LANG": "C.UTF-8"])
    #expect(run.exitCode == 0)
    #expect(run.stderr == "")
    #expect(run.stdout.hasSuffix("\n\nmemlab can be trusted here\n"))
    for text in [
      "memlab         0.1.0", "compiled by    Swift 6.", "/libswiftCore.so",
      "configuration  whole: ", "✓ task layout    layout version 1, tasks of ",
      "✓ heap recorder  records", "symbols        names and lines of functions\n",
      "runtime        Swift 6.", " processor", ", pages of ", " KiB\n",
      "✓ executors ", "✓ heap           a planted graph", "✓ ledger         a planted leak",
      "output         no terminal, 80 columns, no colours",
      "TERM='xterm\\u{1B}', COLUMNS is not set", "LANG='C.UTF-8'",
    ] { #expect(run.stdout.contains(text), "\(text)") }
  }

  private static let strip = URL(fileURLWithPath: "/usr/bin/strip")

  @Test(
    "says what a stripped program cannot tell", .needsHeap,
    .enabled(if: FileManager.default.isExecutableFile(atPath: strip.path)))
  func stripped() throws {
    let copy = FileManager.default.temporaryDirectory.appending(path: "memlab-\(UUID())")
    defer { try? FileManager.default.removeItem(at: copy) }
    let memlab = MemlabBinary.folder.appending(path: "memlab").path
    #expect(try Program(Self.strip).run(["-o", copy.path, memlab]).exitCode == 0)
    let run = try Program(copy).run(["doctor"], environment: MemlabBinary.neutral)
    #expect(run.exitCode == 0, "\(run.stdout)")
    #expect(run.stdout.contains("symbols        stripped, so closures and waiting functions"))
  }

  @Test("ends with 70 where the heap cannot be read", .needsHeap) func unreadHeap() {
    let page = Page()
    #expect(page.run(["doctor"], []) == .untrusted)
    #expect(page.output.contains("\n✗ heap           the heap was not read: a test has none\n"))
    #expect(page.output.contains("\n✓ ledger "))
    #expect(page.output.hasSuffix("\n\nmemlab CANNOT be trusted here\n"))
  }

  @Test("ends with 70 where a planted leak is not seen") func blind() {
    let page = Page()
    #expect(page.run(["doctor"], [], selfCheck: Samples.blindSelfCheck) == .untrusted)
    #expect(page.output.contains("\n✗ ledger         the self-check failed: a planted leak"))
  }
}
