import MemlabCLI
import MemlabTerminalText
import Testing

@Suite("Styled text") struct StyledTextTests {
  let line = "verdict: " + StyledText("LEAKS", .leaked) + StyledText(" 2", .dim)

  @Test(
    "is cut in the style of the place where it is cut",
    arguments: [
      (6, "ab\u{1B}[31mcdef\u{1B}[0m"), (5, "ab\u{1B}[31mcd…\u{1B}[0m"),
      (3, "ab\u{1B}[31m…\u{1B}[0m"),
      (2, "a…"), (1, "…"), (0, ""),
    ])
  func truncation(width: Int, rendered: String) {
    let text: StyledText = "ab" + StyledText("cdef", .leaked)
    #expect(text.truncated(to: width).rendered(color: true) == rendered)
  }

  @Test("without colour only the words remain") func plain() {
    #expect(line.rendered(color: false) == "verdict: LEAKS 2")
    #expect(line.plain == "verdict: LEAKS 2")
  }

  @Test("with colour every styled part is closed, and line breaks stay outside") func coloured() {
    #expect(line.rendered(color: true) == "verdict: \u{1B}[31mLEAKS\u{1B}[0m\u{1B}[2m 2\u{1B}[0m")
    let lines = StyledText("a\n\nb", .leaked).rendered(color: true)
    #expect(lines == "\u{1B}[31ma\u{1B}[0m\n\n\u{1B}[31mb\u{1B}[0m")
  }

  @Test("every style strips cleanly, and no two look the same", arguments: Style.allCases)
  func strips(style: Style) {
    let text = "누수 → e\u{301} ~~~\n1m"
    let coloured = StyledText(text, style).rendered(color: true)
    #expect(coloured != text)
    #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == text)
    let alike = Style.allCases.filter { StyledText(text, $0).rendered(color: true) == coloured }
    #expect(alike == [style])
  }

  @Test("two parts keep their styles, and lose the spaces at which they meet") func splitting() {
    let (first, second) = (StyledText("ab", .clean) + StyledText("  c", .dim)).split(at: 2)
    #expect(first == StyledText("ab", .clean))
    #expect(second == StyledText("c", .dim))
    #expect(line.split(at: 99) == (line, ""))
  }

  @Test("equal neighbours become one, styles don't count as width") func joining() {
    #expect(StyledText("a", .clean) + StyledText("b", .clean) == StyledText("ab", .clean))
    #expect(StyledText("", .clean) + "x" == "x")
    #expect(line.width == 16)
  }
}
