import Foundation
import MemlabCLI
import MemlabFull
import MemlabTerminalText
import Synchronization
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
    let text = try String(contentsOf: Repository.url(path), encoding: .utf8)
    let sections = text.components(separatedBy: "\n## For the teacher\n")
    try #require(sections.count == 2)
    #expect(LessonPart.parts(of: text).map(\.text).joined(separator: "\n") == sections[0])
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
      let lines = screen.newlineSeparated.prefix { !$0.isEmpty }
      #expect(lines.first?.hasPrefix("Sentence 1") == true)
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
    let written = Mutex("")
    let output = Output(descriptor: -1) { _, bytes in
      written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      return .wrote(bytes.count)
    }
    var rest = answers[...]
    let dialog = LessonDialog(
      output: output, usesColor: false, rows: 12,
      layOut: { MarkdownPage($0).lines(width: 80) }, readAnswer: { rest.popFirst() })
    try dialog.run(LessonPart.parts(of: text), closing: closing)
    return written.withLock(\.self).components(separatedBy: "\u{1B}[H\u{1B}[2J")
      .filter { !$0.isEmpty }
  }
}
