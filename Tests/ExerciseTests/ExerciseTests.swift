import ExerciseSolutions
import Exercises
import Foundation
import MemlabCLI
import MemlabKit
import TestSupport
import Testing

@Suite("An exercise")
struct ExerciseTests {
  @Test("is committed as shipped, and not solved", arguments: Exercises.all)
  func shipped(exercise: Exercise) throws {
    let name = URL(fileURLWithPath: exercise.file).lastPathComponent
    let shipped = Repository.url("Sources/Exercises/Shipped/\(name).txt")
    let current = Repository.url("Sources/Exercises/\(exercise.file)")
    #expect(
      try Data(contentsOf: current) == Data(contentsOf: shipped),
      """
      Sources/Exercises/\(exercise.file) is not as shipped. If you are solving it, run \
      'swift run memlab exercise reset \(exercise)' before the tests; if you mean to change the \
      exercise, change its copy in Sources/Exercises/Shipped as well.
      """)
  }

  @Test("fails as shipped, and says how to go on", arguments: Exercises.all)
  func fails(exercise: Exercise) throws {
    let run = try MemlabBinary.run(["exercise", exercise.number])
    #expect(run.exitCode == 1)
    #expect(run.stdout.contains("NOT SOLVED YET"))
    #expect(run.stdout.contains("NOT as expected"))
    #expect(run.stdout.contains("memlab exercise hint \(exercise)"))
    #expect(run.stderr == "" || run.stderr.hasPrefix("Note: your file is newer than this build"))
  }

  @Test("is solved by its solution", arguments: Solutions.all)
  func solution(exercise: Exercise) throws {
    let run = try Self.solved(["exercise", exercise.number])
    #expect(run.exitCode == 0, "\(run.stdout)")
    #expect(run.stdout.contains("SOLVED · compare: memlab exercise solution \(exercise)"))
  }

  @Test("has a task, a hint and a lesson", arguments: Exercises.all)
  func texts(exercise: Exercise) throws {
    let hint = try MemlabBinary.run(["exercise", "hint", exercise.number])
    #expect(hint.exitCode == 0)
    #expect(hint.stdout.count > 40)
    #expect(hint.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let judged = try MemlabBinary.run(["exercise", exercise.number])
    #expect(judged.stdout.contains("Fix "))
    #expect(judged.stdout.split(separator: "\n").filter { $0.count > 80 } == [])
    #expect(exercise.number == exercise.lesson.prefix(2))
    let lesson = Repository.url("Lessons/\(exercise.lesson)/README.md")
    let text = try String(contentsOf: lesson, encoding: .utf8)
    #expect(text.contains("memlab exercise \(exercise)"))
  }

  @Test("shows its solution on request", arguments: Exercises.all)
  func showsSolution(exercise: Exercise) throws {
    let run = try MemlabBinary.run(["exercise", "solution", exercise.number])
    #expect(run.exitCode == 0)
    let name = exercise.file.split(separator: "/").last ?? "?"
    let file = Repository.url("Sources/ExerciseSolutions/\(name)")
    #expect(run.stdout == (try String(contentsOf: file, encoding: .utf8)))
  }

  @Test("says what each of its figures is", arguments: Exercises.all)
  func figures(exercise: Exercise) {
    let measured = Set(exercise.endings.flatMap(\.expects.metrics.keys).map(\.rawValue))
    #expect(Set(exercise.figures.keys) == measured)
    #expect(exercise.figures.values.allSatisfy { $0.hasPrefix("is ") && $0.hasSuffix(".") })
  }

  @Test(
    "tells a wrong solution from a right one, and says what is wrong",
    arguments: [
      ("01", "No Song was counted: each has to store Probe(Song.self)."),
      ("01", "titleAfter is 1 if the song still names a playlist after the playlist was dropped."),
      ("06", "paidEarly is the number of customers that were paid before their audit."),
      ("08", "tried to resume its continuation more than once"),
    ])
  func wrong(number: String, sentence: String) throws {
    let run = try Program(MemlabBinary.folder.appending(path: "WrongExercises"))
      .run(["exercise", number], environment: MemlabBinary.neutral)
    #expect(run.exitCode != 0)
    let text = (run.stdout + run.stderr).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(text.contains(sentence), "\(text)")
  }

  @Test("leaves no file without a place")
  func strayFiles() {
    let learners = Exercises.all.map(\.file)
    let names = learners.map { $0.split(separator: "/").last ?? "" }
    let edited = Repository.files(in: "Sources/Exercises", endingIn: ".swift").filter {
      !$0.hasSuffix("Judge.swift")
    }
    let rest = ["Exercise.swift", "Exercises.swift"]
    #expect(Set(edited) == Set((learners + rest).map { "Sources/Exercises/\($0)" }))
    let shipped = Repository.files(in: "Sources/Exercises/Shipped", endingIn: "")
    #expect(Set(shipped) == Set(names.map { "Sources/Exercises/Shipped/\($0).txt" }))
    let solutions = Repository.files(in: "Sources/ExerciseSolutions", endingIn: ".swift")
    #expect(
      Set(solutions)
        == Set((names + ["Solutions.swift"]).map { "Sources/ExerciseSolutions/\($0)" }))
    #expect(Exercises.all.map(\.number) == Solutions.all.map(\.number))
  }

  private static func solved(_ words: [String]) throws -> ProgramResult {
    try Program(MemlabBinary.folder.appending(path: "SolvedExercises"))
      .run(words, environment: MemlabBinary.neutral)
  }
}
