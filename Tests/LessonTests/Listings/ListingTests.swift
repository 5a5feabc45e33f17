import Foundation
import MemlabKit
import Scenarios
import TestSupport
import Testing

@Suite("The code that memlab show has with it")
struct ListingTests {
  @Test("is a copy of what the sources mark", arguments: ListingFile.all.map(\.source))
  func copies(source: String) throws {
    let file = ListingFile(source: source)
    try Golden.check(
      try file.text(), file: Repository.url(file.path).path, isRecording: Recording.isOn)
  }

  @Test("is listed whole, and nothing else lies beside it")
  func index() throws {
    try Golden.check(
      ListingFile.index, file: Repository.url(ListingFile.indexPath).path,
      isRecording: Recording.isOn)
    let expected =
      ListingFile.all.map(\.path) + [
        ListingFile.indexPath, "Sources/Scenarios/Listings/Listing.swift",
      ]
    #expect(
      Repository.files(in: "Sources/Scenarios/Listings", endingIn: ".swift") == expected.sorted())
  }

  @Test("is there for every scenario", arguments: Catalog.scenarios)
  func scenario(_ scenario: Scenario) {
    let listings = Listing.of(scenario)
    #expect(!listings.isEmpty)
    let named = listings.map { "\($0.path)#\($0.name)" }
    #expect(scenario.code.allSatisfy { named.contains("Sources/\($0)") })
    #expect(scenario.endings.compactMap(\.code).allSatisfy(scenario.code.contains))
  }
}
