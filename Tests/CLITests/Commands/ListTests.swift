import Foundation
import MemlabKit
import MemlabScenarios
import MemlabTerminalText
import TestSupport
import Testing

@Suite("memlab list") struct ListTests {
  @Test("writes every scenario for programs, with its endings and what they declare")
  func json() throws {
    let run = try MemlabBinary.run(["list", "--format", "json"]).exits(0).complainsOfNothing()
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.list/1\",\n"))
    let list = try #require(try run.stdout.jsonObject()["scenarios"] as? [[String: Any]])
    #expect(list.compactMap { $0["id"] as? String } == Catalog.scenarios.map(\.id))
    for (entry, scenario) in zip(list, Catalog.scenarios) {
      #expect(entry["title"] as? String == scenario.title)
      #expect(entry["family"] as? String == scenario.document.family)
      #expect(entry["lesson"] as? String == scenario.lesson)
      #expect(entry["fixedBy"] as? String == scenario.fixedBy)
      #expect(entry["next"] as? String == scenario.next)
      let document = entry["document"] as? [String: String]
      let (title, file) = (scenario.document.title, scenario.document.file)
      #expect(document == ["title": title, "file": file])
      let endings = entry["endings"] as? [[String: String]]
      #expect(
        endings
          == scenario.endings.map {
            ["name": $0.name, "title": $0.title, "declared": $0.expects.verdict.rawValue]
          })
    }
  }

  @Test("runs nothing to write it, and is the same bytes every time") func repetition() throws {
    let first = try MemlabBinary.run(["list", "--format", "json"])
    for _ in 0..<3 { #expect(try MemlabBinary.run(["list", "--format", "json"]) == first) }
  }
}

@Suite("Bare memlab") struct OverviewTests {
  @Test("fits on a screen of 24 lines and 80 columns, and every command that it names works")
  func screen() throws {
    let text = try MemlabBinary.run([]).stdout
    let lines = text.newlineSeparated
    // One line is the next prompt's.
    #expect(lines.count <= 24)
    #expect(lines.filter { $0.count > 80 } == [])
    for command in ["lesson", "walk", "exercise", "check"] {
      #expect(text.contains("  memlab \(command)"))
    }
    for line in lines where line.hasPrefix("  memlab ") && !line.contains("exercise") {
      let command = line.dropFirst(2).components(separatedBy: "   ")[0].split(separator: " ")
      #expect(try FirstRuns.run(command.dropFirst().map(String.init)).exitCode == 0, "\(line)")
    }
  }
}

@Suite("A word that is not known") struct UnknownWordTests {
  @Test(
    "is answered with what may have been meant",
    arguments: [
      (["self"], "'self' is not a scenario or a command. Did you mean 'strong-self'"),
      (["walk", "strong-slef"], "Did you mean 'strong-self'?"),
      (["lesson", "streams"], "Did you mean '02-five-steps-to-a-stream-that-ends'"),
      (["exercise", "playlst"], "Did you mean 'playlist'?"),
      (["exercise", "sollution"], "Did you mean 'solution'?"),
    ])
  func suggestions(words: [String], sentence: String) throws {
    try MemlabBinary.run(words).exits(64).saysNothing().complains(sentence)
  }
}

@Suite("memlab doctor") struct DoctorTests {
  @Test("finds everything in order on the pool", .needsHeap)
  func pool() throws { try sound(scheduler: "pool") }

  @Test("finds everything in order in virtual time", .needsHeap, .needsVirtualTime)
  func virtual() throws { try sound(scheduler: "virtual") }

  private func sound(scheduler: String) throws {
    let run = try MemlabBinary.run(
      ["doctor", "--scheduler", scheduler], environment: ["TERM": "xterm\u{1B}", "LANG": "C.UTF-8"]
    ).exits(0).complainsOfNothing()
    #expect(run.stdout.hasSuffix("\n\nmemlab can be trusted here\n"))
    run.says(
      "memlab         0.1.0", "compiled by    Swift 6.", "/libswiftCore.so",
      "configuration  whole: ", "✓ task layout    layout version 1, tasks of ",
      "✓ heap recorder  records", "symbols        names and lines of functions\n",
      "runtime        Swift 6.", " processor", ", pages of ", " KiB\n",
      "✓ executors ", "✓ heap           a planted graph", "✓ ledger         a planted leak",
      "output         no terminal, 80 columns, no colours",
      "TERM='xterm\\u{1B}', COLUMNS is not set", "LANG='C.UTF-8'")
  }

  private static let strip = URL(fileURLWithPath: "/usr/bin/strip")

  @Test(
    "says what a stripped program cannot tell", .needsHeap,
    .enabled(if: FileManager.default.isExecutableFile(atPath: strip.path)))
  func stripped() throws {
    let (copy, memlab) = (Scratch.place(), MemlabBinary.folder.appending(path: "memlab").path)
    #expect(try Program(Self.strip).run(["-o", copy.path, memlab]).exitCode == 0)
    try Program(copy).run(["doctor"], environment: MemlabBinary.neutral).exits(0).says(
      "symbols        stripped, so closures and waiting functions")
  }

  @Test("ends with 70 where the heap cannot be read", .needsHeap) func unreadHeap() {
    let page = Page.run(["doctor"], []).exits(.untrusted).says(
      "\n✗ heap           the heap was not read: a test has none\n", "\n✓ ledger ")
    #expect(page.stdout.hasSuffix("\n\nmemlab CANNOT be trusted here\n"))
  }

  @Test("ends with 70 where a planted leak is not seen") func blind() {
    let page = Page.run(["doctor"], [], selfCheck: Samples.blindSelfCheck).exits(.untrusted)
    #expect(page.stdout.contains("\n✗ ledger         the self-check failed: a planted leak"))
  }
}
