import MemlabCLI
import TestSupport
import Testing

@Suite("A lesson in the terminal")
struct MarkdownPageTests {
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
        A *title*
        ═════════

        A bold word, some code and a
        link in one paragraph.

          - a point that goes on in a
            second line
          - another
        """)
  }

  @Test("keeps the lines of code, moved to the left where they are wide")
  func code() {
    let text = """
      ```swift
      let x = "**not bold**"

      ```
      ```console
      $ 0123456789012345678901234567
      ```
      """
    #expect(
      Self.page(text) == """
            let x = "**not bold**"


        $ 0123456789012345678901234567
        """)
  }

  @Test("has tables whose cells are broken")
  func tables() {
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

  @Test("styles what was bold or code, wherever the line breaks")
  func styles() {
    let lines = MarkdownPage("one **two three** four").lines(width: 8)
    #expect(
      lines.map { $0.rendered(color: true) } == [
        "one \u{1B}[1mtwo\u{1B}[0m", "\u{1B}[1mthree\u{1B}[0m", "four",
      ])
  }
}
