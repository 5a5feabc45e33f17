import HeapGraph
import Testing

/// The rows of chains, written as a letter for each: `o` for the reader's own, a capital for the module
/// of a library.
@Suite("The rows of a chain") struct ChainRowTests {
  @Test(
    "are folded where a library has several in a row, and are at most eight",
    arguments: [
      ("oAAAAo", "oAAAAo"),
      ("oAAAAoo", "o4oo"),
      ("oAABBBBBo", "oAA5o"),
      ("AAABBBo", "33o"),
      ("ooooooooo", "ooo2oooo"),
      ("oooAABBAAooo", "ooo5Aooo"),
    ])
  func rows(all: String, few: String) {
    let rows = all.map {
      ChainInWords.Row(name: "o", otherModule: $0 == "o" ? nil : String($0))
    }
    let shown = ChainInWords.few(rows).map { row in
      guard row.name.hasPrefix("… ") else { return row.otherModule ?? "o" }
      return String(row.name.dropFirst(2).prefix { $0 != " " })
    }
    #expect(shown.joined() == few)
  }

  @Test("that are folded name the module") func module() {
    let rows = (0..<7).map { _ in ChainInWords.Row(name: "o", otherModule: "NIOCore") }
    #expect(ChainInWords.few(rows).map(\.name) == ["… 7 of NIOCore …"])
  }
}
