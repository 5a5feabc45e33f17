import Foundation
import MemlabKit
import TestSupport
import Testing

@Suite("memlab cut", .needsHeap) struct CutTests {
  private struct Computed: Decodable {
    struct Stay: Decodable, Equatable {
      let name, because: String
      let strongReferences: Int
    }
    let schema: String
    let cut, released, collected: [String]
    let stays: [Stay]
    let isComputed: Bool
  }

  private static func computed(_ words: [String]) throws -> Computed {
    try MemlabBinary.run(["cut"] + words + ["--format", "json"]).exits(0).stdout.decoded()
  }

  @Test("frees a cycle of which one reference is cut") func cycle() throws {
    let words = ["retain-cycle", "--ending", "drop", "--step", "3", "Moon.planet"]
    let result = try Self.computed(words)
    #expect(result.schema == "memlab.cut/1" && result.isComputed)
    #expect(result.cut == ["Moon.planet"])
    #expect(result.released == ["Planet", "Moon"])
    #expect(result.stays.isEmpty && result.collected.isEmpty)
  }

  @Test("says what holds the rest, and what a tracing collector would free of it")
  func variable() throws {
    let result = try Self.computed(["retain-cycle", "--ending", "drop", "--step", "2", "planet"])
    #expect(result.released == ["variable planet"])
    #expect(result.collected == ["Moon", "Planet"])
    #expect(
      result.stays.first
        == Computed.Stay(
          name: "Moon", because: "a cycle: Planet → Moon → Planet", strongReferences: 1))
  }

  @Test("leaves to a collector nothing that a waiting task holds") func task() throws {
    let words = ["strong-self", "--ending", "cancel", "--step", "4"]
    let before = try Self.computed(words + ["useCase"])
    #expect(before.collected.isEmpty)
    #expect(before.stays.map(\.because).contains("task forwarder, which has not finished"))
    let after = try Self.computed(words + ["useCase", "forwarder"])
    #expect(after.released.last == "DataCacheUseCaseImpl")
  }

  @Test("refuses an edge that is not there, and names those that are") func unknown() throws {
    try MemlabBinary.run(["cut", "retain-cycle", "--ending", "drop", "Moon.sun"]).exits(64)
      .complains("is called 'Moon.sun'; it has 'Moon.planet', 'Planet.moon'.")
    for words in [["retain-cycle", "--step", "9", "Moon.planet"], ["retain-cycle"]] {
      _ = try MemlabBinary.run(["cut"] + words).exits(64)
    }
  }

  @Test("computes what a film has recorded, or the film says that this needs a run")
  func film() throws {
    for scenario in ["retain-cycle", "captured-owner", "cycle-that-ends"] {
      let reel = try MemlabBinary.run(["film", scenario]).exits(0).stdout.decoded(as: FilmReel.self)
      for film in reel.endings.compactMap(\.film) {
        for (before, after) in zip(film.moments, film.moments.dropFirst()) {
          let cut = try StepCut(from: #require(before.graph), to: #require(after.graph))
          #expect(cut.names == after.cut?.names)
          #expect(cut.needsRun == after.cut?.needsRun)
          // Code inside the cycle takes it apart: no reference that is left says so.
          let isKnown = scenario == "cycle-that-ends" && after.step.text.hasPrefix("the call f")
          if !isKnown { #expect(!cut.needsRun, "\(scenario), \(after.step.text)") }
        }
      }
    }
  }
}
