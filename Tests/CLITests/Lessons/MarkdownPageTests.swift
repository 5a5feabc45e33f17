import Foundation
import MemlabCourse
import MemlabFull
import MemlabScenarios
import MemlabTerminalText
import TestSupport
import Testing

@Suite("A lesson in the terminal") struct MarkdownPageTests {
  private static func page(_ text: String, width: Int = 30) -> String {
    MarkdownPage(text).lines(width: width).map(\.plain).joined(separator: "\n")
  }

  @Test("has its paragraphs broken to the width, and its marks and comments taken out")
  func paragraphs() {
    let text = """
      # A *title*
      <!-- snippet: a
      -->
      A **bold** word, `some code` and a
      [link](https://example.org) in one paragraph.

      - a point that goes on
        in a second line
      - another
      """
    #expect(
      Self.page(text) == """
        A title
        ═══════

        A bold word, some code and a
        link in one paragraph.

          - a point that goes on in a
            second line
          - another
        """)
  }

  @Test(
    "has no marks left of emphasis, code and links",
    arguments: [
      ("*who* counts, **what** and `*how*`", "who counts, what and *how*"),
      ("**Why: *this* `a * b`.**", "Why: this a * b."), ("*over two\nlines*", "over two lines"),
      ("2 * 3 * 4 and a*", "2 * 3 * 4 and a*"),
      ("[a `b[0]`](x.md) and [self] in [c](y.md)", "a b[0] and [self] in c"), ("*[a](b)*", "a"),
    ])
  func marks(text: String, plain: String) { #expect(Self.page(text, width: 60) == plain) }

  @Test("styles what was emphasised or code, and a link inside of it") func emphasis() {
    let line = MarkdownPage("a *b* [*c* d](e)").lines(width: 60)[0]
    #expect(line == "a " + StyledText("b", .emphasis) + " " + StyledText("c", .emphasis) + " d")
  }

  @Test(
    "is no wider than the page but for code, and has no marks left",
    arguments: Catalog.lessons, Slow.all([60, 80], orEach: 2))
  func lessons(folder: String, width: Int) throws {
    let text = try Repository.text("Lessons/\(folder)/README.md")
    let code = Set(Self.code(of: text))
    let lines = MarkdownPage(text).lines(width: width).map(\.plain)
    let prose = lines.filter { !code.contains($0) && !code.contains(String($0.dropFirst(4))) }
    #expect(!prose.isEmpty)
    // At 60 columns, paths of files are too wide; they stay whole.
    let isWide = { (line: String) in
      line.displayWidth > width && (width == 80 || line.split(separator: " ").count > 1)
    }
    #expect(prose.filter { isWide($0) || $0.hasSuffix(" ") } == [])
    #expect(prose.filter { line in ["*", "`", "]("].contains { line.contains($0) } } == [])
  }

  /// The lines between fences, with the margins that they may have been given.
  private static func code(of text: String) -> [String] {
    var isCode = false
    return text.newlineSeparated.flatMap { line -> [String] in
      let isFence = line.hasPrefix("```")
      defer { if isFence { isCode.toggle() } }
      return isCode && !isFence ? (0...4).map { String(repeating: " ", count: $0) + line } : []
    }
  }

  @Test("keeps the lines of code, moved to the left where they are wide; too long ones go on")
  func code() {
    let text = """
      ```swift
      let x = "**not bold**"

      ```
      ```console
      $ 0123456789012345678901234567
        0123456789012345678901234567890123456789
      ```
      ```console
      $ swift run memlab check retain-cycle stored-closure
      ```
      """
    #expect(
      Self.page(text) == """
            let x = "**not bold**"


        $ 0123456789012345678901234567
          0123456789012345678901234567890123456789

        $ swift run memlab check
            retain-cycle
            stored-closure
        """)
  }

  @Test(
    "has its flowcharts in words, as memlab graph has them", .needsHeap,
    arguments: Slow.all(Catalog.lessons, orEach: 3))
  func flowcharts(folder: String) throws {
    let text = try Repository.text("Lessons/\(folder)/README.md")
    let page = try MemlabBinary.run(["lesson", folder]).stdout.newlineSeparated
    #expect(!page.contains { $0.contains("flowchart LR") })
    for graph in text.matches(of: /<!-- output: memlab graph (\S+) -->\n```mermaid/) {
      let words = try MemlabBinary.run(["graph", String(graph.1), "--format", "text"]).stdout
      let lines = words.newlineSeparated.dropFirst().filter { !$0.isEmpty }
      let indents = (0...4).map { String(repeating: " ", count: $0) }
      #expect(indents.contains { indent in page.contains(lines.map { indent + $0 }) }, "\(words)")
    }
  }

  @Test("draws the flowcharts whose command is named, and leaves alone those that have none")
  func otherFlowchart() {
    let chart = "```mermaid\nflowchart TD\n  a --> b\n```"
    #expect(Self.page(chart) == "    flowchart TD\n      a --> b")
    let named = MarkdownPage("<!-- output: memlab graph x -->\n\(chart)\n\n\(chart)") { [$0] }
    #expect(
      named.lines(width: 80).map(\.plain) == [
        "    memlab graph x", "", "    flowchart TD", "      a --> b",
      ])
  }

  @Test("has tables whose cells are broken") func tables() {
    let text = """
      | what | why |
      |---|---|
      | a `row` | because of all that is said here |
      """
    #expect(
      Self.page(text) == """
          what   why
          ─────  ─────────────────────
          a row  because of all that
                 is said here
        """)
  }

  @Test("has tables whose names are broken where nothing else helps") func narrowTables() {
    let text = """
      | one | other |
      |---|---|
      | aVeryLongName.ofSomething | anotherLongName.ofSomething |
      """
    #expect(
      Self.page(text, width: 30) == """
          one            other
          ─────────────  ─────────────
          aVeryLongName  anotherLongNa
          .ofSomething   me.
                         ofSomething
        """)
  }

  @Test("styles what was bold or code, wherever the line breaks") func styles() {
    let lines = MarkdownPage("one **two three** four").lines(width: 8)
    #expect(
      lines.map { $0.rendered(color: true) } == [
        "one \u{1B}[1mtwo\u{1B}[0m", "\u{1B}[1mthree\u{1B}[0m", "four",
      ])
  }
}
