import Foundation
import MemlabCLI
import MemlabExerciseSolutions
import MemlabExercises
import MemlabKit
import TestSupport
import Testing

@Suite("An exercise") struct ExerciseTests {
  @Test("is committed as shipped, and not solved", arguments: Exercises.all)
  func shipped(exercise: Exercise) throws {
    let name = URL(fileURLWithPath: exercise.file).lastPathComponent
    let shipped = Repository.url("Sources/Course/Exercises/Shipped/\(name).txt")
    let current = Repository.url("Sources/Course/Exercises/\(exercise.file)")
    #expect(
      try Data(contentsOf: current) == Data(contentsOf: shipped),
      """
      Sources/Course/Exercises/\(exercise.file) is not as shipped. If you are solving it, run \
      'swift run memlab exercise reset \(exercise)' before the tests; if you mean to change the \
      exercise, change its copy in Sources/Course/Exercises/Shipped as well.
      """)
  }

  @Test(
    "fails as shipped, with a summary on one screen, and the verdict again at the end",
    arguments: Slow.all(Exercises.all, orEach: 3))
  func fails(exercise: Exercise) throws {
    let run = try MemlabBinary.run(["exercise", exercise.number]).exits(1).says(
      "NOT as expected", "memlab exercise hint \(exercise)")
    #expect(run.stdout.firstMatch(of: /[Ff]ix\s/) != nil)
    let lines = run.stdout.newlineSeparated.dropLast()
    #expect(lines.filter { $0.count > 80 } == [])
    let first = try #require(lines.firstIndex { $0.hasPrefix("NOT SOLVED YET · ") })
    // The last screen has the verdict as well, and what to type.
    #expect(lines.suffix(4) == lines[first..<(first + 4)])
    let summary = lines.prefix { !$0.hasPrefix("  ending ") }
    #expect(WithoutHeap.withoutRemark(Array(summary)).count <= 24)
    // In a process of its own, an ending's warnings are told under its name.
    #expect(
      run.stderr == "" || run.stderr.hasPrefix("Note: your file is newer than this build")
        || !Isolation.isAvailable)
  }

  @Test("is solved by its solution", arguments: Slow.all(Solutions.all, orEach: 3))
  func solution(exercise: Exercise) throws {
    try MemlabBinary.run(["exercise", exercise.number], of: "SolvedExercises").exits(0)
      .says("SOLVED · compare: swift run memlab exercise solution \(exercise)")
  }

  @Test("is not solved by one ending that is as it should be", .needsHeap) func part() throws {
    let run = try MemlabBinary.run(["exercise", "08", "--ending", "ring"]).exits(0)
    run.says("as it should be · all endings: swift run memlab exercise 08")
    #expect(!run.stdout.contains("SOLVED") && !run.stdout.contains("next: "), "\(run.stdout)")
  }

  @Test("has a task, a hint and a lesson", arguments: Exercises.all)
  func texts(exercise: Exercise) throws {
    for hint in [exercise.hint, exercise.secondHint] { #expect(hint.count > 40) }
    #expect(exercise.hint != exercise.secondHint)
    let text = try Repository.text("Lessons/\(exercise.lesson)/README.md")
    #expect(text.contains("memlab exercise \(exercise)"))
  }

  @Test("shows its solution on request", arguments: Slow.all(Exercises.all, orEach: 3))
  func showsSolution(exercise: Exercise) throws {
    let run = try MemlabBinary.run(["exercise", "solution", exercise.number]).exits(0)
    let name = exercise.file.split(separator: "/").last ?? "?"
    let shipped = Repository.url("Sources/Course/Exercises/Shipped/\(name).txt")
    let diff = try Repository.text("Sources/Course/ExerciseSolutions/Diffs/\(name).diff")
    let changes = diff.newlineSeparated.dropFirst(2)
    let old = try String(contentsOf: shipped, encoding: .utf8).newlineSeparated
    let new = run.stdout.newlineSeparated
    let added = changes.filter { $0.hasPrefix("+") }
    #expect(new.count == old.count + added.count - changes.filter { $0.hasPrefix("-") }.count)
    #expect(Set(added.map { String($0.dropFirst()) }).isSubset(of: new.map { String($0) }))
  }

  @Test("says what each of its figures is", arguments: Exercises.all)
  func figures(exercise: Exercise) {
    let measured = Set(exercise.endings.flatMap(\.expects.metrics.keys).map(\.rawValue))
    #expect(Set(exercise.figures.keys) == measured)
    #expect(exercise.figures.values.allSatisfy { $0.hasPrefix("is ") && $0.hasSuffix(".") })
  }

  @Test("has advice only for what it counts", arguments: Exercises.all)
  func advice(exercise: Exercise) {
    let expected = exercise.endings.map(\.expects)
    var names = Set(expected.flatMap { $0.metrics.keys.map(\.rawValue) })
    names.formUnion(expected.flatMap { $0.objects.map(\.type) })
    names.formUnion(expected.flatMap { $0.tasks.map { "task \($0.name)" } })
    #expect(names.isSuperset(of: exercise.advice.keys))
    #expect(exercise.advice.values.filter { !$0.hasSuffix(".") && !$0.hasSuffix("?") } == [])
  }

  @Test("leaves no file without a place") func strayFiles() {
    let learners = Exercises.all.map(\.file)
    let names = learners.map { $0.split(separator: "/").last ?? "" }
    let edited = Repository.files(in: "Sources/Course/Exercises", endingIn: ".swift")
    let rest = ["Exercises.swift"]
    #expect(Set(edited) == Set((learners + rest).map { "Sources/Course/Exercises/\($0)" }))
    let shipped = Repository.files(in: "Sources/Course/Exercises/Shipped", endingIn: "")
    #expect(Set(shipped) == Set(names.map { "Sources/Course/Exercises/Shipped/\($0).txt" }))
    let solutions = [".swift", ".diff"].flatMap {
      Repository.files(in: "Sources/Course/ExerciseSolutions", endingIn: $0)
    }
    let expected = names.map { "Diffs/\($0).diff" } + ["Solutions.swift"]
    #expect(Set(solutions) == Set(expected.map { "Sources/Course/ExerciseSolutions/\($0)" }))
    #expect(Exercises.all.map(\.number) == Solutions.all.map(\.number))
  }
}
