import Foundation
import MemlabBench
import MemlabCLI
import MemlabScenarios
import MemlabTerminalText
import TestSupport
import Testing

@Suite("make bench") struct BenchTests {
  private let page = Page()
  private var session: Session { page.session(Catalog.scenarios) }

  private static let measured = Result {
    let words = ["--most", "1000", "--format", "json"]
    let (run, file) = (try MemlabBinary.run(words, of: "MemlabBench"), Scratch.place(".json"))
    try Data(run.exits(0).stdout.utf8).write(to: file)
    return (run: run, file: file.path)
  }

  @Test("writes the promised keys, and figures that are there", .needsHeap, .needsVirtualTime)
  func json() throws {
    let run = try Self.measured.get().run
    #expect(run.stderr == "", "progress is for terminals only")
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.bench/1\",\n"))
    let report = try run.stdout.jsonObject()
    #expect(["debug", "release"].contains(report["configuration"] as? String))
    #expect(report["growthExponent"] is Double)
    let ratios = try #require(report["ratios"] as? [[String: Any]])
    #expect(
      ratios.compactMap { $0["name"] as? String } == [
        "recording", "recording-many", "time", "check",
      ])
    #expect(ratios.allSatisfy { ($0["ratio"] as? Double ?? 0) > 0 && $0["meaning"] is String })
    // Two seconds of sleeping take well under one, and a check is more than a line.
    #expect(ratios.dropFirst(2).allSatisfy { ($0["ratio"] as? Double ?? 0) > 1 })
    let readings = try #require(report["readings"] as? [[String: Any]])
    #expect(readings.compactMap { $0["blocks"] as? Int } == [1_000])
    let growth = try #require(report["growth"] as? [[String: Any]])
    #expect(growth.compactMap { $0["instances"] as? Int } == [10, 100])
    #expect(growth.allSatisfy { ($0["bytesPerInstance"] as? Double ?? 0) > 0 })
    try writesAgain(run.stdout)
  }

  // `make costs` writes a page of what was measured before.
  private func writesAgain(_ json: String) throws {
    let file = try Self.measured.get().file
    let words = ["--from", file, "--format"]
    #expect(Bench.run(words + ["json"], in: session) == .success)
    #expect(page.output == json)
    #expect(Bench.run(words + ["markdown"], in: session) == .success)
    let table = page.output.dropFirst(json.count)
    #expect(table.contains("while blocks are recorded, over the same without | × "))
    #expect(table.contains("| 1000 | × ") && table.contains("| 100 | "))
    #expect(Bench.run(["--from", file + ".gone"], in: session) == .untrusted)
  }

  @Test(
    "says in words what is divided by what, and that a debug build says little", .needsHeap,
    .needsVirtualTime)
  func text() throws {
    let run = try MemlabBinary.run(["--from", Self.measured.get().file], of: "MemlabBench").exits(0)
      .says("over the", "memlab check", "blocks", "runs", "to the power of")
    #if DEBUG
      #expect(run.stdout.contains("This is a debug build"))
    #else
      #expect(run.stdout.contains("(release build)"))
    #endif
    let lines = run.stdout.split(separator: "\n").filter { !$0.contains("debug build") }
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
  }

  @Test("ends with 70 where the heap cannot be read, and prints no figure") func noHeap() {
    #expect(Bench.run(["--most", "1000"], in: session) == .untrusted)
    #expect(page.output == "")
    #expect(page.errors == "Error: the heap was not read: a test has none\n")
  }

  @Test("says what is wrong with a command line, and takes none measured by half") func usage() {
    #expect(Bench.run(["--most", "5"], in: session) == .usage)
    #expect(page.output == "")
    #expect(page.errors.hasPrefix("Error: The value '5' is invalid for '--most <n>'."))
  }

  @Test("is not as expected when a leak leaves nothing behind") func noGrowth() {
    func report(leaving bytes: Double) -> BenchReport {
      BenchReport(
        ratios: [], readings: [],
        growth: [10, 100].map {
          .init(instances: $0, bytesPerInstance: bytes, allocationsPerInstance: 3)
        })
    }
    #expect(report(leaving: 64).asExpected)
    #expect(!report(leaving: 0).asExpected)
    #expect(abs(report(leaving: 64).growthExponent - 1) < 1e-9)
  }

  @Test("tells a straight line from a square by the power") func slope() {
    let sizes = [10.0, 100, 1_000]
    #expect(abs(Slope.power(of: sizes.map { ($0, 7 * $0) }) - 1) < 1e-9)
    #expect(abs(Slope.power(of: sizes.map { ($0, 7 * $0 * $0) }) - 2) < 1e-9)
    #expect(Slope.power(of: [(10, 3)]) == 0)
  }
}
