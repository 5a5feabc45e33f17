import MemlabKit

/// A puzzle about a picture: what should go, and what must not, with as few cuts as can be.
package struct Goal: Sendable {
  /// The scenario, its ending and the step whose picture it is about.
  package let scenario, ending: String
  /// The step, from 1.
  package let step: Int
  /// What to reach, as a sentence.
  package let text: String
  /// The names of the boxes that have to go, and of those that must not.
  package let goes, stays: [String]
  /// What may not be cut.
  package let spared: [String]

  private init(
    _ scenario: String, _ ending: String, _ step: Int, _ text: String, goes: [String],
    stays: [String] = [], sparing spared: [String] = []
  ) {
    (self.scenario, self.ending, self.step, self.text) = (scenario, ending, step, text)
    (self.goes, self.stays, self.spared) = (goes, stays, spared)
  }

  /// The least number of cuts that reach it, by trying all; nil where three are not enough.
  func least(in graph: OwnershipGraph) -> Int? {
    let cuts = graph.cuttables.filter { !spared.contains($0.name) }
    return (1...3).first { number in
      Self.choices(of: number, among: cuts[...]).contains { isReached(by: $0, in: graph) }
    }
  }

  private func isReached(by cuts: [Cuttable], in graph: OwnershipGraph) -> Bool {
    let after = cuts.reduce(ReferenceCounting(graph)) { $0.cutting($1) }
    let released = Set(after.released.map { graph.nodes[$0].name })
    return released.isSuperset(of: goes) && released.isDisjoint(with: stays)
  }

  private static func choices(of number: Int, among cuts: ArraySlice<Cuttable>) -> [[Cuttable]] {
    guard number > 0 else { return [[]] }
    return cuts.indices.flatMap { first in
      choices(of: number - 1, among: cuts[(first + 1)...]).map { [cuts[first]] + $0 }
    }
  }

  /// The goal in JSON, as the script reads it; nil where it cannot be reached.
  func script(in graph: OwnershipGraph) -> String? {
    struct Form: Encodable {
      let text: String
      let goes, stays, spared: [String]
      let least: Int
    }
    return least(in: graph).flatMap { least in
      try? JSONText.text(
        of: Form(text: text, goes: goes, stays: stays, spared: spared, least: least))
    }
  }
}

extension Goal {
  /// The goal of a step, if it has one.
  static func of(_ scenario: String, _ ending: String, _ step: Int) -> Goal? {
    all.first { ($0.scenario, $0.ending, $0.step) == (scenario, ending, step) }
  }

  /// The goals of the course, the easy ones first.
  package static let all = [
    Goal("retain-cycle", "drop", 3, "Free both with one cut.", goes: ["Planet", "Moon"]),
    Goal(
      "strong-self", "cancel", 6, "Free both objects, and let the task run on.",
      goes: [useCase, repository], sparing: ["task forwarder"]),
    Goal(
      "captured-owner", "drop", 4, "Stop what holds the use case without touching its closure.",
      goes: [useCase], stays: [repository], sparing: ["closure #1 in consume().captured"]),
    Goal(
      "task-in-owner", "never", 2, "Free the loader, and let the task wait.", goes: ["Loader"],
      sparing: ["task load"]),
    Goal(
      "cycle-that-ends", "late", 2, "Free the opener, and keep the call.", goes: ["Opener"],
      stays: ["Call"]),
    Goal(
      "strong-map-table", "held-key", 2, "Free the key, and keep the table and its value.",
      goes: ["Key"], stays: ["StrongMapTable<Key, Value>", "Value"]),
    Goal(
      "calendar-observer-cycle", "app-wide", 4, "Free the view, and keep the database.",
      goes: ["CalendarView"], stays: ["MyEventDatabase"]),
    Goal(
      "calendar-observer-cycle", "drop", 4, "Free all three, and leave the observers alone.",
      goes: ["CalendarView", "CalendarViewController", "MyEventDatabase"],
      sparing: ["MyEventDatabase.observers"]),
    Goal(
      "retain-cycle", "drop", 1, "Free the moon, and keep the planet.", goes: ["Moon"],
      stays: ["Planet"]),
    Goal(
      "strong-self", "cancel", 4, "Free the use case, and keep its repository.", goes: [useCase],
      stays: [repository]),
    Goal(
      "captured-owner", "drop", 5, "Free the use case and its repository.",
      goes: [useCase, repository]),
    Goal(
      "broadcast-dropped", "captured", 4, "Free the broadcaster, which two tasks hold.",
      goes: ["AsyncBroadcastStream<Int>"]),
  ]

  private static let useCase = "DataCacheUseCaseImpl"
  private static let repository = "DataCacheRepoImpl"
}
