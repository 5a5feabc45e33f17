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
