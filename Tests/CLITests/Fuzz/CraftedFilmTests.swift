import Foundation
import MemlabFull
import MemlabKit
import MemlabReports
import MemlabScenarios
import MemlabSite
import MemlabWalk
import TestSupport
import Testing

@Suite("A recording that somebody has made to do harm") struct CraftedFilmTests {
  @Test("is read or refused, and what it shows can be printed", .needsHeap)
  func film() async throws {
    let run = try MemlabBinary.run(["film", "retain-cycle", "--ending", "drop"]).exits(0)
    try Data(run.stdout.utf8).write(to: Self.recording)
    await #expect(processExitsWith: .success, "\(Crafted.note("film"))") {
      let film = try Data(contentsOf: CraftedFilmTests.recording)
      let whole = try JSONSerialization.jsonObject(with: film)
      var texts = 0
      let understood = Crafted.read("film") { generator in
        var parts = Int.random(in: 0...3, using: &generator)
        let tree = CraftedFilmTests.spoilt(whole, &parts, using: &generator)
        guard JSONSerialization.isValidJSONObject(tree) else { return }
        let bytes = try JSONSerialization.data(withJSONObject: tree)
        texts += CraftedFilmTests.texts(of: try JSONDecoder().decode(FilmReel.self, from: bytes))
      }
      precondition(understood > Crafted.count / 10 && texts > 0)
    }
  }

  // What was found: it ended the process.
  @Test("is refused where it has more objects than can be counted", .needsHeap)
  func counts() async throws {
    let run = try MemlabBinary.run(["film", "retain-cycle", "--ending", "drop"]).exits(0)
    _ = try JSONDecoder().decode(FilmReel.self, from: Data(run.stdout.utf8))
    for number in ["-1", "9223372036854775807"] {
      let text = run.stdout.replacing("\"created\" : 1", with: "\"created\" : \(number)")
      #expect(text != run.stdout)
      #expect(throws: DecodingError.self) { try text.decoded(as: FilmReel.self) }
    }
  }

  static let recording = FileManager.default.temporaryDirectory
    .appending(path: "memlab-fuzz-recording")

  /// How many texts a recording gives, of all that are made of one.
  static func texts(of reel: FilmReel) -> Int {
    var count = 0
    for filmed in reel.endings {
      guard let scenario = Catalog.scenario("retain-cycle"), let film = filmed.film else {
        continue
      }
      var walk = Walk(scenario, scenario.endings[0], film, place: (1, 2))
      walk.before = film.report
      count += walk.texts.count
      for page in film.moments.indices {
        _ = WalkPage(walk, step: page, width: 40).lines(height: 9)
      }
      _ =
        WalkResult(walk, Prediction("deinitialised=0,live=1,held=task") ?? Prediction(), width: 60)
        .lines
      for graph in film.moments.compactMap(\.graph) + [film.report.graph] {
        for format in GraphFormat.allCases { _ = format.drawing(of: graph, title: "x") }
      }
    }
    return count
  }

  /// The same with some of its parts left out, put twice, or others in their place.
  private static func spoilt(
    _ part: Any, _ left: inout Int, using generator: inout SplitMix64
  ) -> Any {
    let isRare = Int.random(in: 0..<(part is NSNumber ? 30 : 150), using: &generator) > 0
    let isHere = left > 0 && !isRare
    if isHere { left -= 1 }
    switch part {
    case let values as [String: Any]:
      var values = values
      let keys = values.keys.sorted()
      if isHere, let key = keys.randomElement(using: &generator) { values[key] = nil }
      for key in keys where values[key] != nil {
        values[key] = values[key].map { spoilt($0, &left, using: &generator) }
      }
      return values
    case let items as [Any]:
      var items = items.map { spoilt($0, &left, using: &generator) }
      guard isHere, let item = items.randomElement(using: &generator) else { return items }
      if Bool.random(using: &generator) { items.removeLast() } else { items.append(item) }
      return items
    case let text as String:
      return isHere ? String(decoding: Junk.word(using: &generator), as: UTF8.self) : text
    case let number as NSNumber:
      let other = Crafted.number(near: number.intValue, using: &generator)
      return isHere ? NSNumber(value: Int64(bitPattern: other)) : number
    default: return part
    }
  }
}
