import Foundation
import MemlabCLI
import MemlabKit
import MemlabTerminalText
import TestSupport
import Testing

@Suite("The JSON of a check, memlab.check/1") struct CheckJSONTests {
  private static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("has the promised keys, with the promised types", arguments: CheckSamples.cases.indices)
  func keys(index: Int) throws {
    let text = CheckSamples.output(index, format: "json")
    #expect(text.hasPrefix("{\n  \"schema\" : \"memlab.check/1\",\n"))
    let report = try Self.object(text)
    #expect(report["scheduler"] as? String == SchedulerName.default.rawValue)
    #expect(report["asExpected"] as? Bool == (CheckSamples.cases[index].code == .success))
    #expect((report["error"] is String) == (CheckSamples.cases[index].code == .untrusted))
    let results = try #require(report["results"] as? [[String: Any]])
    for result in results {
      for key in ["scenario", "family", "ending", "file"] { #expect(result[key] is String) }
      #expect(result["line"] is Int)
      #expect(result["differences"] is [String])
      #expect(result["declared"] is [String: Any])
      let status = try #require(result["status"] as? String)
      #expect((result["reason"] is String) == ["skipped", "untrusted"].contains(status))
      #expect(
        (result["measured"] is [String: Any]) == ["asDeclared", "differing"].contains(status))
    }
    try Self.check(try #require(report["summary"] as? [String: Int]), results)
  }

  private static func check(_ summary: [String: Int], _ results: [[String: Any]]) throws {
    let statuses = results.compactMap { $0["status"] as? String }
    for status in ["asDeclared", "differing", "untrusted", "skipped"] {
      #expect(summary[status] == statuses.count { $0 == status })
    }
    #expect(summary["endings"] == results.count)
    #expect(summary["ran"] == results.count - (try #require(summary["skipped"])))
  }

  @Test("says what is declared and what was measured") func difference() throws {
    let text = CheckSamples.output(1, format: "json")
    let report = try JSONDecoder().decode(CheckReport.self, from: Data(text.utf8))
    let result = try #require(report.results.last)
    #expect(result.status == .differing)
    #expect(result.declared.verdict == .leak)
    #expect(result.measured?.verdict == .clean)
    #expect(result.measured?.objects == result.declared.objects)
    #expect(report.results[2].differences[0].contains(CheckSamples.nasty))
  }

  @Test("names for every scenario the file that declares it", arguments: [[String]()])
  func places(words: [String]) throws {
    let run = try MemlabBinary.run(["check", "--format", "json"])
    #expect(run.exitCode == 0)
    let report = try JSONDecoder().decode(CheckReport.self, from: Data(run.stdout.utf8))
    for result in report.results {
      let source = try String(contentsOf: Repository.url(result.file), encoding: .utf8)
      let line = source.split(separator: "\n", omittingEmptySubsequences: false)[result.line - 1]
      #expect(line.contains("Scenario("), "\(result.file):\(result.line)")
      #expect(source.contains("\"\(result.scenario)\""))
    }
  }

  @Test("is closed and says why where the self-check fails") func selfCheck() throws {
    let report = try Self.object(CheckSamples.blindOutput(format: "json"))
    #expect((report["error"] as? String)?.hasPrefix("the self-check failed") == true)
    #expect((report["summary"] as? [String: Int])?["skipped"] == 1)
  }
}
