import Exercises
import MemlabKit

/// The exercises, which of them are solved, and where they are: measured now, and never stored.
enum ExerciseList {
  /// Judges every exercise and lists the results.
  static func write(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let terminal = session.terminal(for: invocation)
    let laboratory = try Laboratory(on: .virtual, in: session)
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
