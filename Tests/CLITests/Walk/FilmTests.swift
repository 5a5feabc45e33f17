import Foundation
import MemlabCLI
import MemlabKit
import MemlabReports
import MemlabScenarios
import MemlabTerminalText
import TestSupport
import Testing

@Suite("memlab film") struct FilmTests {
  // A cycle, a task that waits, a race without objects, and one that its ending runs in other code.
  @Test(
    "writes what walk prints, step by step",
    arguments: ["retain-cycle", "strong-self", "struct-inout-race", "weak-map-table"])
  func walk(id: String) throws {
    let scenario = try #require(Catalog.scenario(id))
    let run = try MemlabBinary.run(["film", id])
    #expect(run.exitCode == 0)
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.film/1\",\n"))
    let reel = try JSONDecoder().decode(FilmReel.self, from: Data(run.stdout.utf8))
    let printed = try MemlabBinary.run(["walk", id]).stdout
    let pages = printed.components(separatedBy: "\(id) · ending ").dropFirst()
      .filter { $0.prefix { $0 != "\n" }.contains("  step ") }
      .map { "\(id) · ending " + $0.trimmingCharacters(in: .newlines) + "\n" }

    try #require(reel.endings.map(\.name) == scenario.endings.map(\.name))
    let count = scenario.endings.count
    let texts = try zip(scenario.endings, reel.endings).enumerated().flatMap { index, pair in
      let film = try #require(pair.1.film)
      return Walk(scenario, pair.0, film, place: (index + 1, count)).texts
    }
    #expect(texts == Array(pages))
  }

  @Test("ends with 1 when a scenario breaks its word") func broken() {
    let page = Page()
    #expect(page.run(["film", "sample"], [Samples.scenario(claiming: .leak)]) == .unexpected)
    #expect(page.output.contains("\"asExpected\" : false"))
  }
}
