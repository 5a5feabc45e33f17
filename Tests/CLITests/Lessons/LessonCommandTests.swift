import Foundation
import MemlabCLI
import MemlabFull
import MemlabKit
import MemlabTerminalText
import TestSupport
import Testing

@Suite("A lesson on a terminal") struct LessonDialogTests {
  private static let text = """
    # A lesson

    Read this.

    ```swift
    // **Predict.** is no question here

    let a = 1
    ```

    So do not hold it. **Predict.** How many
    are left?

    ```console
    $ memlab x
    MEASURED
    ```

    **Predict.** And now?
    """

  @Test("ends a part after each question, and nowhere in code") func parts() {
    let parts = LessonPart.parts(of: Self.text)
    #expect(parts.map(\.asks) == [true, true])
    #expect(parts[0].text.hasSuffix("are left?"))
    #expect(parts[1].text.contains("MEASURED"))
    #expect(parts.map(\.text).joined(separator: "\n") == Self.text)
  }

  @Test(
    "leaves out what is for the teacher, who reads the wrong answers to expect there",
    arguments: Repository.files(in: "Lessons", endingIn: "README.md").filter {
      $0.hasPrefix("Lessons/0") || $0.hasPrefix("Lessons/10-a-server-that-grows/README")
    })
  func teacher(path: String) throws {
    let text = try Repository.text(path)
    let sections = text.components(separatedBy: "\n## For the teacher\n")
    try #require(sections.count == 2)
    #expect(LessonPart.parts(of: text).map(\.text).joined(separator: "\n") == sections[0])
  }

  @Test("commands no build server, and is a sentence where it is no text") func hostile() throws {
    let folder = try Scratch.folder()
    let lesson = folder.appending(path: "Lessons/01-a/README.md")
    for place in [folder.appending(path: "Sources/Lab/Kit"), lesson.deletingLastPathComponent()] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }
    let show = { (bytes: Data) in
      try bytes.write(to: lesson)
      return try MemlabBinary.runInShell("\"$0\" lesson 01", in: folder.path)
    }
    let shown = try show(Data("```\n::error title=x::y\n```\n".utf8)).exits(0).stdout
    #expect(shown.contains("error title=x") && !shown.contains("::error"))
    let error = try show(Data([0xE9, 0x0A])).exits(65).stderr
    #expect(error.hasSuffix("Lessons/01-a/README.md' cannot be read, or is not UTF-8.\n"))
  }

  @Test("shows what was measured only on a screen after that of its question")
  func screens() throws {
    let screens = try Self.screens(of: Self.text, answers: ["none", "q"])
    let question = try #require(screens.firstIndex { $0.contains("How many") })
    #expect(!screens[question].contains("MEASURED"))
    #expect(screens[question + 1].contains("Your prediction: none"))
    #expect(screens[question + 1].contains("MEASURED"))
  }

  @Test("says what is next, but not to those who quit") func closing() throws {
    let next = "next: memlab exercise 01\n"
    let read = try Self.screens(of: Self.text, answers: ["none", "", ""], closing: next)
    #expect(read.last?.hasSuffix(next) == true)
    let left = try Self.screens(of: Self.text, answers: ["none", "q"], closing: next)
    #expect(!left.contains { $0.contains("next:") })
  }

  @Test("shows no more lines than the screen has") func rows() throws {
    let long = (1...30).map { "Line \($0) of it.\n\n" }.joined()
    let screens = try Self.screens(of: long, answers: [String](repeating: "", count: 20))
    #expect(screens.count > 4)
    #expect(screens.allSatisfy { $0.newlineSeparated.count <= 12 })
  }

  @Test("keeps a question in one piece, with what is before it") func question() throws {
    let text = (1...8).map { "Line \($0) of it.\n\n" }.joined() + "**Predict.** Is it so\nor not?\n"
    let screens = try Self.screens(of: text, answers: ["", "", "q"])
    let last = try #require(screens.last)
    #expect(last.contains("Predict. Is it so or not?"))
    for line in 5...8 { #expect(last.contains("Line \(line) of it.")) }
    #expect(screens.dropLast().allSatisfy { !$0.contains("Predict") })
    for line in 1...8 { #expect(screens.contains { $0.contains("Line \(line) of it.") }) }
  }

  @Test("ends a screen where a paragraph ends") func paragraphs() throws {
    let paragraph = (1...4).map { "Sentence \($0) is there, and no more." }.joined(
      separator: "  \n")
    let text = [String](repeating: paragraph, count: 6).joined(separator: "\n\n")
    let screens = try Self.screens(of: text, answers: [String](repeating: "", count: 9))
    #expect(screens.count > 1)
    for screen in screens {
      #expect(screen.newlineSeparated.prefix { !$0.isEmpty }.first?.hasPrefix("Sentence 1") == true)
    }
  }

  @Test("ends at 'q' and at the end of the input", arguments: [["q"], []])
  func quits(answers: [String]) throws {
    let screens = try Self.screens(of: Self.text, answers: answers)
    #expect(!screens.contains { $0.contains("MEASURED") })
  }

  private static func screens(
    of text: String, answers: [String], closing: String = ""
  ) throws -> [String] {
    let page = Page()
    var rest = answers[...]
    let dialog = LessonDialog(
      output: page.writer(1), usesColor: false, rows: 12,
      layOut: { MarkdownPage($0).lines(width: 80) }, readAnswer: { rest.popFirst() })
    try dialog.run(LessonPart.parts(of: text), closing: closing)
    return page.output.components(separatedBy: "\u{1B}[H\u{1B}[2J").filter { !$0.isEmpty }
  }
}

@Suite("memlab lesson") struct LessonCommandTests {
  @Test("lists every lesson of the checkout") func list() throws {
    let run = try MemlabBinary.run(["lesson"])
    let folders = Repository.files(in: "Lessons", endingIn: "/README.md")
    #expect(run.stdout.newlineSeparated.filter { $0.hasPrefix("  ") }.count == folders.count)
    #expect(run.stdout.contains("\n  02 Five steps to a stream that ends  "))
  }

  @Test("refuses a part to go on with where it stops at none") func from() throws {
    try MemlabBinary.run(["lesson", "01", "--from", "2"]).exits(64).complains("has no effect")
  }

  @Test("breaks the lines of text to the width", arguments: ["60", "80"])
  func width(columns: String) throws {
    let run = try MemlabBinary.run(["lesson", "01"], environment: ["COLUMNS": columns])
    #expect(run.stdout.hasPrefix("01 Who owns whom\n═══"))
    let long = run.stdout.newlineSeparated.filter { $0.count > Int(columns)! }
    #expect(columns == "60" || long == [])
  }

  @Test("says where to go when it is installed far from any checkout") func installed() throws {
    let folder = try Scratch.folder()
    let copy = folder.appending(path: "memlab")
    // By a program of its own: what another test starts meanwhile would have the copy open for writing,
    // and then it cannot be run.
    let sources = ["memlab", "memlab-full"].map { MemlabBinary.folder.appending(path: $0).path }
    let cp = try Program(URL(fileURLWithPath: "/bin/cp")).run(sources + [folder.path])
    try #require(cp.exitCode == 0)
    let env = Program(URL(fileURLWithPath: "/usr/bin/env"))
    try env.run(["-C", folder.path, copy.path, "lesson", "02"]).exits(70).complains(
      "the lessons are not here: there is no checkout of memlab")
    try env.run(["-C", folder.path, copy.path, "show", "strong-self"]).exits(0)
  }

  #if os(Linux)
    @Test("judges a prediction, asks again for a number, and says where to go on", .needsHeap)
    func judged() throws {
      let terminal = try PseudoTerminal(["lesson", "01"])
      try terminal.type("\n", after: "Enter goes on, q quits: ")
      try terminal.type("2\n", after: "How many of 2 objects are deinitialised?")
      try terminal.type("banana\n", after: "(1 to 5, Enter skips, q quits) ")
      try terminal.type("2\n", after: "'banana' is no number from 1 to 5.")
      let next = try terminal.wait(for: "$ swift run memlab retain-cycle")
      #expect(next.contains("of 2 objects deinitialised          2         0   not what was mea"))
      #expect(next.contains("Right. Step 3 shows it held by Moon.planet."), "\(next)")
      try terminal.type("q\n", after: "Enter goes on, q quits: ")
      let end = try terminal.wait(for: "--from 2")
      #expect(end.contains("Go on here with: memlab lesson 01 --from 2"), "\(end)")
      #expect(terminal.end() == 0)
      let again = try PseudoTerminal(["lesson", "01", "--from", "2"])
      try again.type("q\n", after: "$ swift run memlab retain-cycle").ends()
    }

    @Test("asks about each ending where a run shows several", .needsHeap) func endings() throws {
      let terminal = try PseudoTerminal(["lesson", "01", "--from", "3"])
      terminal.type("\n\n\n")
      let question = try terminal.wait(for: "Is everything gone then?")
      #expect(question.contains("Ending "))
      terminal.type("q\n").ends()
    }

    @Test("is shown as a whole by the pager on a terminal, and without one where there is none")
    func pager() throws {
      let paged = try PseudoTerminal(["lesson", "01", "--all"], pager: "sed s/^/paged:/")
      try paged.wait(for: "paged:01 Who owns whom")
      try paged.wait(for: "This one has none.")
      #expect(paged.end() == 0)
      for pager in ["", "cat", "no-such-pager"] {
        let plain = try PseudoTerminal(["lesson", "01", "--all"], pager: pager)
        try plain.wait(for: "This one has none.")
        #expect(plain.end() == 0)
      }
    }
  #endif
}

@Suite("The wrong beliefs in TEACHING.md") struct BeliefTests {
  /// A row of the table: what people say of a scenario, and what refutes it.
  struct Belief: Sendable, CustomTestStringConvertible {
    let scenario: String
    let refutation: String

    var testDescription: String { "\(scenario): \(refutation)" }

    /// The ending, what the step has changed, and what is left in the end, as they are quoted.
    var quotes: [String] { refutation.matches(of: /`([^`]*)`/).map { String($0.1) } }

    var step: Int? { refutation.firstMatch(of: /^`[^`]*`, step (\d+): `/).flatMap { Int($0.1) } }
  }

  @Test(
    "are refuted by the step that is named, with what is measured there", .needsVirtualTime,
    arguments: try BeliefTests.beliefs())
  func refuted(belief: Belief) throws {
    let quotes = belief.quotes
    let step = try #require(belief.step)
    try #require(quotes.count >= 2)
    let report = try Reports.of(belief.scenario)
    let trial = try #require(report.trials.first { $0.ending == quotes[0] })
    let text = try FirstRuns.text(of: belief.scenario).stdout
    try #require(trial.steps.indices.contains(step - 1))
    #expect(trial.steps[step - 1].changes.contains(quotes[1]))
    for quote in quotes.dropFirst(2) {
      let figure = quote.split(separator: " ")
      let isFigure = figure.count == 2 && trial.metrics["\(figure[0])"] == Int(figure[1])
      #expect(isFigure || Self.result(of: quotes[0], in: text).contains(" · \(quote)"))
    }
  }

  @Test("stand in a table that has not shrunk") func count() throws {
    #expect(try Self.beliefs().count >= 22)
  }

  /// The verdict's line of an ending of a report.
  private static func result(of ending: String, in text: String) -> Substring {
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("  ending \(ending):") }
    return lines.first { $0.contains(", as expected · ") } ?? ""
  }

  private static func beliefs() throws -> [Belief] {
    let text = try Repository.text("Lessons/TEACHING.md")
    let section = try #require(text.firstRange(of: "## What people believe at first"))
    return text[section.upperBound...].split(separator: "\n").prefix { !$0.hasPrefix("## ") }
      .compactMap { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 3, cells[1].hasPrefix("\"") else { return nil }
        return Belief(scenario: cells[0], refutation: cells[2])
      }
  }
}
