import MemlabKit
import MemlabPageFiles
import MemlabPlatform
import MemlabTerminalText

/// A puzzle about a picture: what should go, and what must not, with as few cuts as can be.
package struct Goal: Decodable, Sendable {
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
    guard let least = least(in: graph) else { return nil }
    let form: JSONObject = [
      "text": text, "goes": goes, "stays": stays, "spared": spared, "least": least,
    ]
    return try? JSONText.text(of: form)
  }
}

extension Goal {
  /// The goal of a step, if it has one.
  static func of(_ scenario: String, _ ending: String, _ step: Int) -> Goal? {
    all.first { ($0.scenario, $0.ending, $0.step) == (scenario, ending, step) }
  }

  /// The goals of the course, the easy ones first.
  package static let all: [Goal] = {
    do {
      return try JSONDecoder().decode([Goal].self, from: Data(PageFile.text(of: "goals.json").utf8))
    } catch {
      preconditionFailure("the goals cannot be read: \(error)")
    }
  }()
}
