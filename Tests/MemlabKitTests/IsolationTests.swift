import Foundation
import MemlabKit
import TestSupport
import Testing

@Suite("One scenario and the others", .needsIsolation) struct IsolationTests {
  private static let spoilt = [
    ("counter", true, ""), ("exit", false, "its process ended early, with code 0"),
    ("kill", false, "its process was ended by signal 9 (Killed)"), ("print", true, ""),
    ("descriptors", true, ""), ("lock", true, ""),
  ]

  private static func check(_ words: [String]) throws -> (CheckReport, ProgramResult) {
    let run = try HardCases.run(words + ["--format", "json"])
    return (try JSONDecoder().decode(CheckReport.self, from: Data(run.stdout.utf8)), run)
  }

  @Test("are measured apart, whatever the one does to its process") func spoiling() throws {
    for scheduler in VirtualScheduler.obstacle == nil ? ["virtual", "pool"] : ["pool"] {
      let (report, run) = try Self.check(["spoiling", "check", "--scheduler", scheduler])
      #expect(run.exitCode == 70)
      #expect(run.stderr.hasSuffix("\nError: 2 endings could not be measured\n"), "\(run.stderr)")
      for (ending, isMeasured, reason) in Self.spoilt {
        let result = try #require(report.results.first { $0.ending == ending })
        #expect(result.status == (isMeasured ? .asDeclared : .untrusted), "\(ending)")
        let sentence = "spoiler, ending '\(ending)', step 2: \(reason)"
        #expect(result.reason == (isMeasured ? nil : sentence))
      }
      let others = report.results.filter { $0.scenario == "newcomer" }
      #expect(others.map(\.status) == [.asDeclared], "\(others)")
    }
  }

  @Test("are not believed when their results are changed on the way, and the others are measured")
  func changing() throws {
    let (report, run) = try Self.check(["changing", "check"])
    #expect(run.exitCode == 70, "\(run.stderr)")
    #expect(report.results.map(\.status) == [.untrusted, .asDeclared, .asDeclared])
    #expect(
      report.results[0].reason == "vandal, ending 'before', step 1: the message of its process is "
        + "cut off or damaged")
  }

  @Test("record nothing when one of them cannot be measured, and say so") func recording() throws {
    let file = Scratch.place(".txt").path
    let all = try HardCases.run(
      ["recorded", file, "check", "--record"], environment: ["SWIFT_BACKTRACE": "enable=no"]
    ).exits(70)
    #expect(
      all.stderr.hasSuffix(
        "Error: 1 ending could not be measured, so nothing was recorded; select the others with names, "
          + "--only or --ending\n"), "\(all.stderr)")
    #expect(!FileManager.default.fileExists(atPath: file))
    try HardCases.run("recorded", file, "check", "--record", "--ending", "quiet").exits(0)
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test("find nothing of each other, which they do in one process") func newcomer() throws {
    let words = ["spoiling", "check", "counter", "newcomer"]
    #expect(try HardCases.run(words).exitCode == 0)
    try HardCases.run(["together"] + words).exits(1).says("before: expected 0, measured 1")
  }

  @Test("what it prints goes to the standard error, under its name") func printing() throws {
    let (_, run) = try Self.check(["spoiling", "check", "--ending", "print"])
    #expect(run.exitCode == 0)
    #expect(
      run.stderr == """
        spoiler, ending 'print', has written:
        { "scenario" : "printed" }

        """)
  }

  @Test(
    "are named in every format when they crash or make no progress, and all others run",
    .needsVirtualTime, arguments: Slow.all(["text", "json", "junit", "tap", "github"], orEach: 5))
  func formats(format: String) async throws {
    let crash =
      "crash, ending 'index', step 2: the code has crashed with signal \(CrashTests.trap) ("
    let still = "standstill, ending 'loop', step 2: nothing has moved for 2 seconds"
    let run = try await HardCases.runBesideTests(
      [
        "check", "crash", "standstill", "namesakes", "--format", format, "--only", "crash",
        "--only", "standstill", "--only", "namesakes",
      ], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.exitCode == 70)
    let text = run.stdout.replacing("&apos;", with: "'").joinedLines
    #expect(text.contains(crash), "\(run.stdout)")
    #expect(text.contains(still), "\(run.stdout)")
    #expect(run.stderr.hasSuffix("\nError: 9 endings could not be measured\n"), "\(run.stderr)")
    #expect(!run.stdout.contains("has stopped"))
  }

  @Test("give the same results in random orders", .needsVirtualTime) func orders() throws {
    let start = UInt64.random(in: 1...1_000_000)
    var first: [String: String]?
    for seed in start..<(start + (Slow.isOn ? 20 : 2)) {
      let (report, run) = try Self.check(["shuffled", "\(seed)", "check"])
      #expect(run.exitCode == 0, "seed \(seed): \(run.stderr)")
      let results = try Dictionary(
        report.results.map { result in
          let encoder = JSONEncoder()
          encoder.outputFormatting = .sortedKeys
          let json = String(decoding: try encoder.encode(result), as: UTF8.self)
          return ("\(result.scenario), \(result.ending)", json)
        }, uniquingKeysWith: { first, _ in first })
      let expected = first ?? results
      first = expected
      let differing = results.filter { expected[$0.key] != $0.value }
      #expect(differing.isEmpty, "seed \(seed): \(differing)")
      #expect(results.count == expected.count, "seed \(seed)")
    }
  }
}
