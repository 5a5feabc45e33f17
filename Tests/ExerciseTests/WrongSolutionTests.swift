import Exercises
import Foundation
import MemlabKit
import TestSupport
import Testing

@Suite("Wrong solutions of the exercises")
struct WrongSolutionTests {
  private struct Verdict: Decodable {
    let exercise: String
    let mistake: String
    let expected: String?
    let isSolved: Bool
    let sentences: [String]
  }

  @Test(
    "are refused with a sentence that helps, and without the mistake they are accepted",
    .needsVirtualTime)
  func refused() throws {
    let verdicts = try Self.verdicts()
    for verdict in verdicts {
      let name = "\(verdict.exercise) \(verdict.mistake)"
      let sentences = verdict.sentences.joined(separator: "\n")
      guard let expected = verdict.expected else {
        #expect(verdict.isSolved, "\(name): \(sentences)")
        continue
      }
      #expect(!verdict.isSolved, "\(name) is accepted")
      #expect(sentences.contains(expected), "\(name): \(sentences)")
    }
    for exercise in Exercises.all {
      let mistakes = verdicts.filter { $0.exercise == exercise.number && $0.expected != nil }
      #expect(mistakes.count >= 10, "exercise \(exercise) has \(mistakes.count)")
    }
  }

  private static func verdicts() throws -> [Verdict] {
    let run = try Program(MemlabBinary.folder.appending(path: "WrongExercises"))
      .run(environment: MemlabBinary.neutral)
    try #require(run.exitCode == 0, "\(run.stderr)")
    return try run.stdout.newlineSeparated.dropLast()
      .map { try JSONDecoder().decode(Verdict.self, from: Data($0.utf8)) }
  }
}
