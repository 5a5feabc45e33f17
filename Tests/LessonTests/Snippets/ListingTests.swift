import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("The code that memlab show has with it") struct ListingTests {
  @Test(
    "is what the sources mark, with the lines that it has there, and nothing else",
    arguments: Set(sources + Catalog.listings.map(\.path)).sorted())
  func copies(source: String) throws {
    let markers = SnippetMarkers(path: source, source: try Repository.text(source))
    let marked = markers.starts.sorted { $0.value < $1.value }
    let listings = Catalog.listings.filter { $0.path == source }
    #expect(!listings.isEmpty)
    #expect(listings.map(\.name) == marked.map(\.key))
    #expect(listings.map(\.line) == marked.map(\.value))
    #expect(
      listings.map(\.code) == marked.map { markers.snippets[$0.key]?.joined(separator: "\n") })
  }

  @Test("is there for every scenario", arguments: App.memlab.scenarios)
  func scenario(_ scenario: Scenario) {
    let listings = Listing.of(scenario)
    #expect(!listings.isEmpty)
    let named = listings.map { "\($0.path)#\($0.name)" }
    #expect(scenario.code.allSatisfy { named.contains("Sources/\($0)") })
    #expect(scenario.endings.compactMap(\.code).allSatisfy(scenario.code.contains))
  }

  @Test("is cut out of its surroundings") func cut() {
    let listing = Listing(
      "code", path: "File.swift", line: 7, marked: "\n  \n    if true {\n\n      run()\n    }\n")
    #expect(listing.line == 9)
    #expect(listing.code == "if true {\n\n  run()\n}")
  }

  private static let sources = CourseText.sources.filter { path in
    guard
      ["Sources/Course/Scenarios/", "Sources/Course/Patterns/"].contains(where: path.hasPrefix),
      let text = try? Repository.text(path)
    else { return false }
    return !SnippetMarkers(path: path, source: text).starts.isEmpty
  }
}
