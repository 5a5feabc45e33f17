import Foundation
import MemlabExercises
import MemlabKit
import TestSupport
import Testing

@Suite("Wrong solutions of the exercises") struct WrongSolutionTests {
  private struct Verdict: Decodable {
    let exercise: String
    let mistake: String
    let expected: String?
    let isSolved: Bool
    let sentences: [String]
  }

  @Test(
    "are refused with a sentence that helps, and without the mistake they are accepted",
    .needsVirtualTime, arguments: Slow.all(Exercises.all.map(\.number), orEach: 6))
  func refused(exercise: String) throws {
    let verdicts = try Self.verdicts(on: exercise)
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
    #expect(verdicts.filter { $0.exercise == exercise && $0.expected != nil }.count >= 10)
  }

  @Test(
    "a crash is told with Swift's reason and the line, and with a backtrace only where one is wanted",
    .needsVirtualTime)
  func crash() throws {
    let short = try Self.learnerSees(backtrace: nil)
    let paragraph = short.joinedLines
    #expect(paragraph.contains("Swift says: no lamp (Wrong17.swift, line "), "\(short)")
    #expect(paragraph.contains("In step 3, “the switch is turned”, the code has crashed"))
    #expect(short.contains("    for a backtrace, set SWIFT_BACKTRACE=enable=yes"))
    #expect(!short.contains("your code printed"))
    let long = try Self.learnerSees(backtrace: "enable=yes,color=no,symbolicate=off")
    #expect(long.contains("    | Thread 0"), "\(long)")
    #expect(!long.contains("for a backtrace"))
  }

  private static func learnerSees(backtrace: String?) throws -> String {
    try MemlabBinary.run(
      ["17", "traps", "--ending", "after"], of: "WrongExercises",
      environment: ["SWIFT_BACKTRACE": backtrace]
    ).stdout
  }

  private static func verdicts(on exercise: String) throws -> [Verdict] {
    let run = try MemlabBinary.run([exercise], of: "WrongExercises")
    try #require(run.exitCode == 0, "\(run.stderr)")
    return try run.stdout.newlineSeparated.dropLast().map { try $0.decoded(as: Verdict.self) }
  }
}
