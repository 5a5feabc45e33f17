import MemlabCLI
import MemlabTerminalText
import Testing

@Suite("Laying out text") struct LayoutTests {
  @Test("width counts columns, not characters") func widths() {
    let expected: [(String, Int)] = [
      ("", 0), ("leak", 4), ("누수", 4), ("누수", 4), ("メモリ", 6), ("ﾒﾓﾘ", 3), ("内存", 4),
      ("e\u{301}", 1), ("é", 1), ("→ └─ ✓ ✗ · …", 12), ("（全角）", 8), ("👩‍👩‍👧", 2), ("🇰🇷", 2),
      ("✅", 2), ("⚠\u{FE0F}", 2), ("a\u{200B}b", 2), ("\u{1B}\n\r\n", 0), ("ｶﾞ", 2), ("𠀋", 2),
    ]
    for (text, width) in expected { #expect(text.displayWidth == width, "\(text)") }
    #expect("누수".decomposedSyllables.displayWidth == 4)
  }

  @Test("padding fills up to a width on either side and never cuts") func padding() {
    #expect("누수".padded(to: 6) == "누수  ")
    #expect("12".padded(to: 5, .right) == "   12")
    #expect("123456".padded(to: 5, .right) == "123456")
  }

  @Test("truncation never exceeds the width, even in the middle of a wide character")
  func truncation() {
    #expect("didChangeDataCache".truncated(to: 10) == "didChange…")
    #expect("누수누수".truncated(to: 6) == "누수…")
    #expect("누수".truncated(to: 4) == "누수")
    #expect("누수".truncated(to: 1) == "…")
    #expect("누수".truncated(to: 0) == "")
  }

  @Test("lines are broken at spaces, and a word that is too wide stays whole") func wrapping() {
    #expect("the edge to cut".wrapped(to: 8) == ["the edge", "to cut"])
    #expect("a  DataCacheUseCaseImpl b".wrapped(to: 8) == ["a", "DataCacheUseCaseImpl", "b"])
    #expect("one\n\ntwo ".wrapped(to: 8) == ["one", "", "two"])
    #expect("".wrapped(to: 8) == [""])
    #expect("a b".wrapped(to: 0) == ["a", "b"])
  }

  @Test("Chinese and Japanese break between characters, but not before closing marks")
  func wrappingIdeographs() {
    #expect("内存泄漏的检测".wrapped(to: 6) == ["内存泄", "漏的检", "测"])
    #expect("循環参照。解放".wrapped(to: 8) == ["循環参", "照。解放"])
    #expect("「弱」参照".wrapped(to: 3) == ["「弱」", "参", "照"])
  }

  @Test("Korean breaks at its spaces") func wrappingKorean() {
    #expect("메모리 누수가 발생한다".wrapped(to: 13) == ["메모리 누수가", "발생한다"])
    #expect("메모리 누수가 발생한다".wrapped(to: 12) == ["메모리", "누수가", "발생한다"])
  }
}

extension String {
  /// Korean syllables as their separate letters, as some file systems and editors store them.
  fileprivate var decomposedSyllables: String {
    let scalars = unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
      let index = scalar.value - 0xAC00
      let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28]
      let last = index % 28 == 0 ? [] : [0x11A7 + index % 28]
      return (letters + last).compactMap(Unicode.Scalar.init)
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

@Suite("Styled text") struct StyledTextTests {
  let line = "verdict: " + StyledText("LEAKS", .leaked) + StyledText(" 2", .dim)

  @Test(
    "is cut in the style of the place where it is cut",
    arguments: [
      (6, "ab\u{1B}[31mcdef\u{1B}[0m"), (5, "ab\u{1B}[31mcd…\u{1B}[0m"),
      (3, "ab\u{1B}[31m…\u{1B}[0m"), (2, "a…"), (1, "…"), (0, ""),
    ])
  func truncation(width: Int, rendered: String) {
    let text: StyledText = "ab" + StyledText("cdef", .leaked)
    #expect(text.truncated(to: width).rendered(color: true) == rendered)
  }

  @Test("without colour only the words remain") func plain() {
    #expect(line.rendered(color: false) == "verdict: LEAKS 2")
    #expect(line.plain == "verdict: LEAKS 2")
  }

  @Test("with colour every styled part is closed") func coloured() {
    #expect(line.rendered(color: true) == "verdict: \u{1B}[31mLEAKS\u{1B}[0m\u{1B}[2m 2\u{1B}[0m")
  }

  @Test("every style strips cleanly, and no two look the same", arguments: TextStyle.allCases)
  func strips(style: TextStyle) {
    let text = "누수 → e\u{301} ~~~\t1m"
    let coloured = StyledText(text, style).rendered(color: true)
    #expect(coloured != text)
    #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == text)
    let alike = TextStyle.allCases.filter { StyledText(text, $0).rendered(color: true) == coloured }
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

@Suite("Tables") struct TableTests {
  @Test("two lists under their own headers share the columns, as in the report") func report() {
    var table = Table(columns: [
      .text(), .number(gutter: 3), .number(), .number(), .text(gutter: 3),
    ])
    table.add(["object", "created", "deinitialised", "alive"], style: .dim)
    table.add(["DataCacheUseCaseImpl", "1", "0", "1", StyledText("leaked", .leaked)])
    table.add(["task", "started", "finished", "live"], style: .dim)
    table.add(["consumer", "1", "1", "0"])
    table.add(["forwarder", "1", "0", "1", "never finishes"])
    #expect(
      table.lines(indent: 4).map(\.plain) == [
        "    object                 created  deinitialised  alive",
        "    DataCacheUseCaseImpl         1              0      1   leaked",
        "    task                   started       finished   live",
        "    consumer                     1              1      0",
        "    forwarder                    1              0      1   never finishes",
      ])
  }

  @Test("styles survive, and spaces are not coloured") func styles() {
    var table = Table(columns: [.text(), .number()])
    table.add(["a", StyledText("1", .leaked)])
    table.add(["누수", "20"], style: .dim)
    #expect(
      table.lines().map { $0.rendered(color: true) } == [
        "a      \u{1B}[31m1\u{1B}[0m", "\u{1B}[2m누수\u{1B}[0m  \u{1B}[2m20\u{1B}[0m",
      ])
  }

  @Test("empty cells leave no spaces at the end of a line") func emptyCells() {
    var table = Table(columns: [.text(), .text(), .number()])
    table.add(["a", "", ""])
    table.add(["", "b", "3"])
    table.add([])
    #expect(table.lines(indent: 1).map(\.plain) == [" a", "    b  3", ""])
  }

  @Test("a row with too many cells is a programming error") func tooManyCells() async {
    await #expect(processExitsWith: .failure) {
      var table = Table(columns: [.text()])
      table.add(["a"])
      table.add(["b", "c"])
    }
  }
}
