import Foundation
import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabReports
import MemlabScenarios
import MemlabTerminalText
import MemlabWalk
import TestSupport
import Testing

@Suite("memlab walk without a terminal") struct WalkPrintingTests {
  @Test(
    "walks through every ending of every scenario, and asks before it what is declared for it",
    .needsVirtualTime, arguments: Slow.all(App.memlab.scenarios, orEach: 6))
  func catalog(scenario: Scenario) throws {
    // What people believe is answered in every ending, and refuted in one at least.
    let belief = scenario.beliefs.first
    let answer = belief.map { ["--predict", "held=\($0.cause)"] } ?? []
    let run = try MemlabBinary.run(["walk", scenario.id] + answer).exits(0)
    let text = run.stdout.joinedLines
    if let belief {
      #expect(text.contains("\(belief.because) But step "), "\(scenario.id): \(belief.cause)")
    }
    #expect(run.stderr == "")
    let lines = run.stdout.newlineSeparated
    #expect(lines.filter { $0.hasSuffix("the result") }.count == scenario.endings.count)
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])

    let openings = run.stdout.components(separatedBy: "before the run\n").dropFirst()
    try #require(openings.count == scenario.endings.count)
    for (ending, opening) in zip(scenario.endings, openings) {
      let (text, question) = (opening.joinedLines, scenario.question(before: ending))
      #expect(text.hasPrefix("This ending: \(ending.title). \(question) "), "\(ending.name)")
    }
  }

  @Test("tells step by step what run tells at the end", .needsHeap) func lastStep() throws {
    let walk = try MemlabBinary.run(["walk", "strong-self", "--ending", "cancel"]).stdout
    let last = try #require(walk.components(separatedBy: "step 6 of 6").last)
    #expect(last.contains("DataCacheUseCaseImpl        1              0      1\n"))
    #expect(last.contains("DataCacheUseCaseImpl ←   task forwarder\n"))
    #expect(last.contains("- variable repository, released\n"))
  }

  @Test("shows a variable that holds, until it is set to nil", .needsHeap) func variables() throws {
    let walk = try MemlabBinary.run(["walk", "retain-cycle", "--ending", "drop"]).stdout
    let steps = walk.components(separatedBy: " of 3\n").dropFirst().map { step in
      ["variable planet", "variable moon"].map { name in
        step.contains(name + "\n") ? "+" : step.contains("- " + name) ? "-" : " "
      }
    }
    #expect(steps == [["+", "+"], ["+", "-"], ["-", " "]])
  }

  @Test("says the same on the pool") func pool() throws {
    let words = ["walk", "on-termination", "--ending", "drop", "--scheduler", "pool"]
    try MemlabBinary.run(words).exits(0)
      .says("LEAKS, as expected · 1 object and 2 tasks stay alive")
  }

  @Test("ends with 1 when a scenario breaks its word") func broken() {
    let words = ["walk", "sample", "--all", "--predict", "deinitialised=1"]
    Page.run(words, [Samples.scenario(claiming: .leak)]).exits(.unexpected).says(
      "  of 1 object deinitialised          1         1   right\n", "CLEAN, NOT as expected")
  }

  @Test(
    "understands predictions", .needsHeap,
    arguments: [
      ("deinitialised=0", true), ("live=2", true), ("live=2,deinitialised=1", true),
      ("deinitialized=1", true), ("cancel:live=1", true), ("held=task", true),
      ("held=ghost", false), ("live=-1", false), ("live", false),
      ("objects=1", false), ("live=1,live=2", false), ("nope:live=1", false), ("cancel:", false),
      ("live=1,", false), ("live=99999999999999999999", false),
    ])
  func predictions(text: String, isUnderstood: Bool) throws {
    let run = try MemlabBinary.run(["walk", "strong-self", "--ending", "cancel", "--predict", text])
    #expect(run.exitCode == (isUnderstood ? 0 : 64))
    #expect((run.stdout.contains("predicted") || run.stdout.contains("You said: ")) == isUnderstood)
  }
}

@Suite("memlab film") struct FilmTests {
  // A cycle, a task that waits, a race without objects, and one that its ending runs in other code.
  @Test(
    "writes what walk prints, step by step",
    arguments: ["retain-cycle", "strong-self", "struct-inout-race", "weak-map-table"])
  func walk(id: String) throws {
    let scenario = try #require(Catalog.scenario(id))
    let run = try MemlabBinary.run(["film", id]).exits(0)
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.film/1\",\n"))
    let reel = try JSONDecoder().decode(FilmReel.self, from: Data(run.stdout.utf8))
    let printed = try MemlabBinary.run(["walk", id]).stdout
    let pages = printed.components(separatedBy: "\(id) · ending ").dropFirst()
      .filter { $0.prefix { $0 != "\n" }.contains("  step ") }
      .map { "\(id) · ending " + $0.trimmingCharacters(in: .newlines) + "\n" }

    try #require(reel.endings.map(\.name) == scenario.endings.map(\.name))
    let count = scenario.endings.count
    let texts = try zip(scenario.endings, reel.endings).enumerated().flatMap { index, pair in
      return Walk(scenario, pair.0, try #require(pair.1.film), place: (index + 1, count)).texts
    }
    #expect(texts == Array(pages))
  }

  @Test("ends with 1 when a scenario breaks its word") func broken() {
    let page = Page.run(["film", "sample"], [Samples.scenario(claiming: .leak)]).exits(.unexpected)
    #expect(page.stdout.contains("\"asExpected\" : false"))
  }
}

@Suite("A question before an ending") struct QuestionTests {
  /// What happens in an ending is in its title and its steps, what the pattern does in its own.
  @Test("speaks of nothing that does not happen in it", arguments: App.memlab.scenarios)
  func events(scenario: Scenario) throws {
    let report = try Reports.of(scenario.id)
    #expect(report.trials.map(\.ending) == scenario.endings.map(\.name))
    for (ending, trial) in zip(scenario.endings, report.trials) {
      let steps = trial.steps.map { ([$0.text] + $0.changes).joined(separator: "; ") }
      let shown = Events.named(
        in: ([scenario.title, ending.title] + steps).joined(separator: "; "))
      let asked = Events.named(in: scenario.question(before: ending))
      #expect(asked.subtracting(shown) == [], "\(ending.name): \(ending.title)")
    }
  }
}

@Suite("Keys") struct KeyTests {
  @Test(
    "are known in every form that terminals send them in",
    arguments: [
      ("\n", [Key.forward]), ("\r", [.forward]), (" ", [.forward]), ("\u{1B}[C", [.forward]),
      ("\u{1B}OC", [.forward]), ("\u{1B}[6~", [.forward]), ("b", [.back]), ("\u{7F}", [.back]),
      ("\u{1B}[D", [.back]), ("\u{1B}[1;5D", [.back]), ("e", [.next]), ("q", [.quit]),
      ("\u{4}", [.quit]), ("x", []), ("\u{1B}", []), ("\u{1B}[", []), ("\u{1B}[3~", []), ("", []),
      ("\u{1B}[C\u{1B}[Cbq", [.forward, .forward, .back, .quit]), ("\u{1B}q", [.quit]),
    ])
  func read(text: String, keys: [Key]) { #expect(Key.read(Array(text.utf8)) == keys) }
}

/// What is done or happens in a text, as far as the words tell in which scenarios are written.
enum Events {
  private static let forms: [(event: String, words: [String])] = [
    ("answer", ["answer", "answers", "answered"]), ("append", ["append", "appends", "appended"]),
    ("dispose", ["dispose", "disposes", "disposed"]),
    ("cancel", ["cancel", "cancels", "cancelled", "cancelling"]),
    ("complete", ["complete", "completes", "completed"]), ("copy", ["copy", "copies", "copied"]),
    ("drop", ["drop", "drops", "dropped"]), ("fail", ["fail", "fails", "failed", "decoded"]),
    ("finish", ["finish", "finishes", "finished"]), ("keep", ["keep", "keeps", "kept"]),
    ("remove", ["remove", "removes", "removed"]), ("save", ["save", "saves", "saved"]),
    ("send", ["send", "sends", "sent"]), ("signal", ["signal", "signals", "signalled"]),
    ("stop", ["stop", "stops", "stopped"]),
    ("subscribe", ["subscribe", "subscribes", "subscribed"]),
    ("throw", ["throw", "throws", "thrown"]), ("tick", ["tick", "ticks"]),
  ]

  /// The events that a text speaks of.
  static func named(in text: String) -> Set<String> {
    let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
    return Set(forms.filter { !words.isDisjoint(with: $0.words) }.map(\.event))
  }
}

@Suite("The lines that a step has run") struct RunningLineTests {
  private static let listing = Listing(
    "code", path: "Sources/A/Code.swift", line: 10,
    marked: """
      final class Sun {
        private let probe = Probe(Sun.self)
        deinit { note() }
      }

      final class Earth {
        private let probe = Probe(Earth.self)
        func turn() {
          Task(probe: "day") { Task(probe: "a night") { Ledger.current?.note("it is noon") } }
        }

        deinit {
          Ledger.current?.note("the end")
        }
      }
      """)

  @Test(
    "are those that what was measured proves",
    arguments: [
      ("it begins", ["+ Earth"], ["16"]), ("it begins", ["+ 3 Earth", "+ Sun"], ["16", "11"]),
      ("it ends", ["- Earth"], ["21"]), ("it ends", ["- Sun", "- 2 Earth"], ["12", "21"]),
      ("turn() is called", ["+ task day"], ["17", "18"]),
      ("turn() is called", ["+ task day", "- task day"], ["17", "18", "18 day"]),
      ("turn() is called", ["+ 2 task a night", "- task a night"], ["17", "18", "18 a night"]),
      ("time passes", ["it is noon 12"], ["18"]), ("time passes", ["nothing changed"], []),
      ("turn is not called", ["+ Moon", "- Moon", "+ task night"], []),
    ])
  func lines(text: String, changes: [String], expected: [String]) {
    let step = StepRecord(index: 1, text: text, changes: changes)
    let found = RunningLines([Self.listing]).lines(of: step).map { line in
      line.place.dropFirst("Code.swift:".count) + (line.ended.map { " \($0)" } ?? "")
    }
    #expect(found == expected[...].map { $0[...] })
  }
}
