import Exercises
import MemlabKit

/// `memlab exercise`: judges what the learner wrote, and helps with it.
enum ExerciseCommand: Command {
  static let spec = CommandSpec(
    "exercise",
    abstract: "Judge an exercise, as you have left it.",
    discussion: """
      An exercise is a file in Sources/Exercises that leaks or loses something as shipped. Edit \
      it, then run 'swift run memlab exercise 01': that builds what you wrote and puts it through \
      its endings. Exits with 0 when it is solved, and with 1 when it is not.

        exercise              list the exercises, and which are solved
        exercise 01           judge exercise 01
        exercise hint 01      say what to look at
        exercise solution 01  show a solution
        exercise reset 01     put the file back as it was shipped; yours is kept
      """,
    arguments: [
      ArgumentSpec(
        "exercise", help: "Its number or name, or what to do.",
        values: .numbered(numbers, or: Action.allCases.map(\.rawValue) + names), isOptional: true),
      ArgumentSpec(
        "number", help: "The exercise for hint, solution and reset.",
        values: .numbered(numbers, or: names), isOptional: true),
    ],
    options: [.color])

  private static let numbers = Exercises.all.map(\.number)
  private static let names = Exercises.all.map(\.name)

  /// What can be done with an exercise besides judging it.
  private enum Action: String, CaseIterable {
    case list, hint, solution, reset
  }

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let words = invocation.positionals
    let action = words.first.flatMap(Action.init)
    guard let action, action != .list else {
      if words.count > 1 {
        throw invocation.usageError("Unexpected argument \(quoted(words[1]))")
      }
      return try words.isEmpty || action == .list
        ? ExerciseList.write(invocation, in: session)
        : ExerciseJudge(of: exercise(words[0], in: session), invocation, in: session).run()
    }
    guard words.count == 2 else {
      throw invocation.usageError(
        "Missing expected argument '<number>' after '\(action.rawValue)'")
    }
    return try perform(action, exercise(words[1], in: session), invocation, in: session)
  }

  private static func perform(
    _ action: Action, _ exercise: Exercise, _ invocation: Invocation, in session: Session
  ) throws -> ExitCode {
    let files = session.exerciseFiles
    switch action {
    case .list: break
    case .hint:
      let width = session.terminal(for: invocation).width
      try session.write(
        ProseLines.paragraph(exercise.hint, indent: "", width: width), for: invocation)
    case .solution: try session.output.write(files.solution(of: exercise))
    case .reset: try session.output.write(try files.reset(exercise) + "\n")
    }
    return .success
  }

  private static func exercise(_ typed: String, in session: Session) -> Exercise {
    let number = twoDigits(typed)
    guard let exercise = session.exercises.first(where: { [$0.number, $0.name].contains(number) })
    else {
      preconditionFailure("the parser let an unknown exercise pass: \(typed)")
    }
    return exercise
  }
}

/// The exercises, which of them are solved, and their files. Nothing is stored: each is run again.
enum ExerciseList {
  /// Judges every exercise and lists the results.
  static func write(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let terminal = session.terminal(for: invocation)
    let laboratory = try Laboratory(on: .default, in: session)
    let column = (session.exercises.map(\.title.displayWidth).max() ?? 0) + 2
    var unsolved: [String] = []
    for exercise in session.exercises {
      let isSolved = try exercise.endings.allSatisfy {
        try laboratory.run($0, detail: .holders).asExpected
      }
      if !isSolved { unsolved.append(exercise.number) }
      let line: StyledText =
        "  " + StyledText(exercise.number, .emphasis) + "  "
        + StyledText(exercise.title.padded(to: column))
        + (isSolved ? StyledText("solved", .clean) : StyledText("not yet", .dim))
      let path = StyledText("      " + session.exerciseFiles.path(of: exercise), .dim)
      for line in [line, path] {
        try session.output.write(line.rendered(color: terminal.usesColor) + "\n")
      }
    }
    let total = session.exercises.count
    let next = unsolved.first.map { " Go on with: swift run memlab exercise \($0)" } ?? ""
    try session.output.write("\n\(total - unsolved.count) of \(total) solved.\(next)\n")
    return .success
  }
}

extension Exercise {
  /// The name of its folder without the number: `playlist`.
  fileprivate var name: String {
    String(file.prefix { $0 != "/" }.drop { $0.isNumber || $0 == "-" })
  }
}
