import Foundation
import MemlabHeapModel
import MemlabHeapReader
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

  @Test(
    "have types without their modules, but where two of one chain have the same name",
    arguments: [
      ("House.Room", ["home → Door", "room → Room"]),
      ("House.Door", ["home → Hall.Door", "room → House.Door"]),
    ])
  func modules(type: String, expected: [String]) throws {
    let json = """
      {"type": "\(type)", "heldBy": "Door.room", "referencesFound": 1, "links": [
        {"kind": "field", "name": "home", "to": "Hall.Door", "isObject": true},
        {"kind": "field", "name": "room", "to": "\(type)", "isObject": true}],
        "root": {"kind": "global", "name": "Hall.doors", "frames": []}}
      """
    let chain = try JSONDecoder().decode(RetainChain.self, from: Data(json.utf8))
    let rows = ChainInWords(chain, for: .test(task: nil, thread: nil)).rows
    #expect(rows.map { "\($0.reference) → \($0.name)" } == expected)
  }
}
