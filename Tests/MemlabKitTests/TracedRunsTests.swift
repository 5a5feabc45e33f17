import Foundation
import TestSupport
import Testing

@Suite("Many traced runs in one process", .needsVirtualTime)
struct TracedRunsTests {
  @Test("all say the same, and leave no memory behind, nor the recorder on")
  func manyRuns() throws {
    let runs = ProcessInfo.processInfo.environment["MEMLAB_TRACED_RUNS"] ?? "1000"
    let run = try Program(MemlabBinary.folder.appending(path: "TracedRuns")).run([runs])
    try #require(run.exitCode == 0, "\(run.stdout)\(run.stderr)")
    let summary = try #require(run.stdout.split(separator: "\n").first)
    let words = summary.split(separator: " ")
    #expect(summary.hasPrefix("\(runs) runs: 0 differ"))
    let kilobytes = try #require(Int(words[4]))
    #expect(kilobytes <= 64, "\(summary)")
    #expect(run.stdout.contains(#""asExpected":true"#))
  }
}
