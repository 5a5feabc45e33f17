import Foundation
import MemlabCLI
import MemlabKit
import MemlabTerminalText
import MemlabWitness
import TestSupport
import Testing

@Suite("check --record") final class RecordTests {
  private let page = Page()
  private let file = Scratch.place(".txt")

  private func check(_ words: String..., scenarios: [Scenario] = RecordTests.scenarios) -> ExitCode
  {
    var app = App(name: "our-lab", scenarios: scenarios, heap: RealHeap.self)
    app.expectedFile = ExpectedFile(file.path, besideSource: nil)
    return Memlab(session: page.session(app)).run(["check"] + words)
  }

  private var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

  private static func ending(_ name: String, things count: Int = 1) -> Ending {
    Ending(name, "it ends") { lab in
      try lab.step("things come and go") { for _ in 0..<count { _ = Samples.thing() } }
    }
  }

  private static let scenarios = [
    Scenario(id: "first", title: "one", endings: [ending("a"), ending("b")]),
    Scenario(id: "second", title: "two", endings: [ending("c"), Samples.ending(.clean)]),
  ]

  @Test("fails where nothing is recorded, and says how to record it") func missing() {
    #expect(check() == .unexpected)
    #expect(page.output.contains("Not as declared: first a, first b, second c"))
    #expect(page.output.contains("nothing is recorded for this ending"))
  }

  @Test("writes what is measured, which check then finds") func recorded() throws {
    #expect(check("--record") == .success)
    #expect(page.errors.contains("New: first a, first b, second c."))
    #expect(try text.contains("scenario first, ending a\n  verdict clean\n"))
    #expect(try text.contains("  object Thing: 1 created, 1 deinitialised\n"))
    // It declares what it measures in code.
    #expect(try !text.contains("ending end"))
    #expect(check() == .success)
    let before = try text
    #expect(check("--record") == .success)
    #expect(page.errors.contains("nothing has changed"))
    #expect(try text == before)
  }

  @Test("is compared with: what has changed is named") func changed() throws {
    _ = check("--record")
    let scenarios = [Scenario(id: "first", title: "one", endings: [Self.ending("a", things: 2)])]
    #expect(check("first", scenarios: scenarios) == .unexpected)
    #expect(page.output.contains("Thing: expected 1 of 1 deinitialised, measured 2 of 2"))
  }

  @Test("is compared with: what the program no longer has is named, unless a part is checked")
  func stale() throws {
    _ = check("--record")
    let scenarios = [Self.scenarios[1]]
    #expect(check("second", scenarios: scenarios) == .success)
    #expect(check(scenarios: scenarios) == .unexpected)
    #expect(page.output.contains("Not as declared: first a, first b"))
    #expect(page.output.contains(", has this ending,"))
    #expect(check("--record", scenarios: scenarios) == .success)
    #expect(page.errors.contains("Removed: first a, first b."))
    #expect(check(scenarios: scenarios) == .success)
  }

  @Test("names what is gone of a scenario beside the rest of it") func staleEnding() throws {
    _ = check("--record")
    let first = Scenario(id: "first", title: "one", endings: [Self.ending("b")])
    let scenarios = [first, Self.scenarios[1]]
    #expect(check("--format", "junit", scenarios: scenarios) == .unexpected)
    #expect(page.output.matches(of: /testsuite name="first" tests="2"/).count == 1)
  }

  @Test("records a part, and keeps the rest as it is, in the program's order") func part() throws {
    _ = check("second", "--record")
    #expect(try !text.contains("first"))
    _ = check("first", "--ending", "b", "--record")
    _ = check("--only", "first", "--ending", "a", "--record")
    let places = try text.split(separator: "\n").filter { $0.hasPrefix("scenario") }
    #expect(
      places == [
        "scenario first, ending a", "scenario first, ending b", "scenario second, ending c",
      ])
  }

  @Test(
    "leaves a file as it is that it does not understand",
    arguments: ["", "# Expected results of scenarios, format 2.\n", "<<<<<<< HEAD\n"])
  func foreign(old: String) throws {
    try Data(old.utf8).write(to: file)
    #expect(check() == .usage)
    #expect(check("--record") == .usage)
    #expect(page.errors.contains("cannot be understood: line 1: "))
    #expect(page.output == "")
    #expect(try text == old)
  }

  @Test("leaves a file as it is that it cannot read") func unreadable() throws {
    try Data([0x23, 0xFF, 0xFE, 0x00]).write(to: file)
    #expect(check("--record") == .usage)
    #expect(page.errors.contains("cannot be read; nothing was run"))
    #expect(try Data(contentsOf: file) == Data([0x23, 0xFF, 0xFE, 0x00]))
  }

  @Test("does not record an ending whose step did not do what it promises") func broken() throws {
    let ending = Ending("end", "it ends") { lab in
      try lab.step("nothing comes about", until: { false }) {}
    }
    let scenarios = [Scenario(id: "first", title: "one", endings: [ending])]
    #expect(check("--record", scenarios: scenarios) == .unexpected)
    #expect(try !text.contains("first"))
  }

  @Test("is refused where all is declared in code, and with what it cannot be used with")
  func refused() {
    let scenarios = [Samples.scenario(claiming: .clean)]
    #expect(check("--record", scenarios: scenarios) == .usage)
    #expect(page.errors.contains("so there is nothing to record"))
    #expect(check("--record", "--every-step") == .usage)
  }
}
