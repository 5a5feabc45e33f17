import MemlabCLI
import MemlabKit
import MemlabReports
import MemlabTerminalText

/// `memlab exercise`: judges what the learner wrote, and helps with it.
enum ExerciseCommand: Command {
  /// What can be done with an exercise besides judging it.
  private enum Action: String, CaseIterable { case list, walk, watch, hint, solution, reset }

  static let isOfMemlabAlone = true
  static let measuresMany = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let words = invocation.positionals
    let action = words.first.flatMap(Action.init)
    try refuseStrayOptions(invocation, action, isList: words.isEmpty || action == .list)
    guard let action, action != .list else {
      if words.count > 1 { throw invocation.usageError("Unexpected argument \(quoted(words[1]))") }
      // Code that crashes must not wait for a key that nobody knows to press.
      SystemCalls.stopReadingKeys()
      return try words.isEmpty || action == .list
        ? ExerciseList.write(invocation, in: session)
        : ExerciseJudge(
          exercise: exercise(words[0], in: session), invocation: invocation, session: session
        ).run()
    }
    guard words.count == 2 else {
      throw invocation.usageError("Missing expected argument '<number>' after '\(action.rawValue)'")
    }
    return try perform(action, exercise(words[1], in: session), invocation, in: session)
  }

  private static func refuseStrayOptions(
    _ invocation: Invocation, _ action: Action?, isList: Bool
  ) throws(UsageError) {
    if invocation.flag("more"), action != .hint {
      throw invocation.usageError("--more goes with 'exercise hint'.")
    }
    if invocation.flag("all"), action != .walk {
      throw invocation.usageError("--all goes with 'exercise walk'.")
    }
    if invocation.isGiven("ending"), (action != nil && action != .walk) || isList {
      throw invocation.usageError(
        "--ending goes with the number of an exercise to judge, or to walk through.")
    }
    if invocation.isGiven("format"), action != nil, action != .list {
      throw invocation.usageError("--format goes with 'exercise list' or an exercise to judge.")
    }
  }

  private static func perform(
    _ action: Action, _ exercise: Exercise, _ invocation: Invocation, in session: Session
  ) throws -> ExitCode {
    let files = session.exerciseFiles
    switch action {
    case .list: break
    case .walk:
      let endings = try invocation.endings(among: exercise.endings)
      return try ExerciseWalk(
        exercise: exercise, endings: endings, invocation: invocation, session: session
      ).run()
    case .watch: try ExerciseWatch(exercise: exercise, session: session).run()
    case .hint: try session.write(hint(of: exercise, invocation, in: session), for: invocation)
    case .solution: try session.output.write(files.solution(of: exercise))
    case .reset: try session.output.write(try files.reset(exercise) + "\n")
    }
    return .success
  }

  private static func hint(
    of exercise: Exercise, _ invocation: Invocation, in session: Session
  ) -> [StyledText] {
    let width = session.terminal(for: invocation).width
    let first = ProseLines.paragraph(exercise.hint, indent: "", width: width)
    guard invocation.flag("more") else {
      let command = "swift run memlab exercise"
      let what =
        ["step by step: \(command) walk \(exercise)"]
        + ["what to write: \(command) hint \(exercise) --more"]
      return first + [""] + what.map { StyledText($0, .dim) }
    }
    return first + [""] + ProseLines.paragraph(exercise.secondHint, indent: "", width: width)
  }

  private static func exercise(_ typed: String, in session: Session) -> Exercise {
    let number = twoDigits(typed)
    guard let exercise = session.exercises.first(where: { [$0.number, $0.name].contains(number) })
    else { preconditionFailure("the parser let an unknown exercise pass: \(typed)") }
    return exercise
  }
}
