import Foundation
import TestSupport
import Testing

@Suite("memlab beliefs", .needsHeap, .needsVirtualTime) struct BeliefsTests {
  private struct Beliefs: Decodable {
    struct Belief: Decodable {
      let name: String
      let refutedBy: [String]
    }

    let beliefs: [Belief]
    let tellsAllApart, unpredictedAnswers: [String]
  }

  // Without it, the block of 'beliefs --for' in a lesson measures as much.
  @Test(
    "has an ending against each belief, and a belief behind each wrong answer of a scenario",
    .needsTime)
  func catalog() throws {
    let run = try MemlabBinary.run(["beliefs"]).exits(0)
    #if DEBUG
      // Optimised code lets some objects go a step earlier.
      try Golden.check("beliefs", run.stdout)
    #endif
    #expect(!run.stdout.contains("No belief predicts"))
    let rules = run.stdout.split(separator: "\n").compactMap {
      $0.wholeMatch(of: #/  [a-z]  ([a-z-]+) +(\d+)  .*/#)
    }
    #expect(rules.count > 20)
    for rule in rules { #expect(rule.2 != "0", "\(rule.1) is refuted by no ending") }
    #expect(run.stdout.contains("All beliefs that can be told apart here"))
  }

  @Test("shows a belief's shortest refutation, and knows where there is none") func one() throws {
    let words = ["beliefs", "strong-self", "retain-cycle", "--for", "cycles-are-freed"]
    try MemlabBinary.run(words).exits(0).says(
      "Refuted by 1 ending; the shortest is retain-cycle --ending drop:",
      "3  the planet's variable is dropped")
    try MemlabBinary.run(["beliefs", "strong-self", "--for", "cycles-are-freed"]).exits(0)
      .says("None of these endings refutes it.")
    try MemlabBinary.run(["beliefs", "--for", "cycles-are-free"]).exits(64)
      .complains("Did you mean 'cycles-are-freed'?")
  }

  @Test("says in JSON what each ending refutes") func json() throws {
    let words = ["beliefs", "retain-cycle", "--format", "json"]
    let found = try MemlabBinary.run(words).exits(0).stdout.decoded(as: Beliefs.self)
    let freed = try #require(found.beliefs.first { $0.name == "cycles-are-freed" })
    #expect(freed.refutedBy == ["retain-cycle#drop"])
    #expect(found.unpredictedAnswers.isEmpty && !found.tellsAllApart.isEmpty)
  }
}
