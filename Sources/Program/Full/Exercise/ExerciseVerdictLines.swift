import MemlabKit
import MemlabReports
import MemlabTerminalText

/// The verdict on an exercise, for people, in at most 24 lines of 80 columns.
struct ExerciseVerdictLines {
  /// The exercise.
  let exercise: Exercise
  /// What it asks for.
  let task: String
  /// What came of it.
  let verdict: ExerciseVerdict
  /// How wide a line is, and how many lines follow on the same screen.
  let width, remarks: Int

  /// The task, a mark and a sentence for each ending, the verdict, and what to type.
  var lines: [StyledText] {
    let lines = lines(rowsOfEach: 2)
    // An empty line follows.
    return lines.count > 23 - remarks ? self.lines(rowsOfEach: 1) : lines
  }

  private func lines(rowsOfEach most: Int) -> [StyledText] {
    var lines = [
      StyledText("exercise \(exercise.number)", .heading) + " · \(exercise.title)",
      StyledText(verdict.file, .dim), StyledText("Lessons/\(exercise.lesson)", .dim), "",
    ]
    lines += ProseLines.paragraph(task, indent: "  ", width: width) + [""]
    for ending in verdict.endings { lines += self.lines(for: ending, most) }
    return lines + [""] + whatNow
  }

  /// The last word, and what to type.
  var whatNow: [StyledText] {
    let (command, number) = ("swift run memlab exercise", verdict.exercise)
    guard !verdict.solved || verdict.endings.count < exercise.endings.count else {
      return [StyledText("SOLVED", .clean) + " · compare: \(command) solution \(number)"]
    }
    let (done, total) = (verdict.endings.count(where: \.solved), verdict.endings.count)
    guard let first = verdict.endings.first(where: { !$0.solved })?.ending else {
      return [StyledText("as it should be", .clean) + " · all endings: \(command) \(number)"]
    }
    return [
      StyledText("NOT SOLVED YET", .leaked)
        + " · \(done) of \(counted(total, "ending")) as it should be",
      StyledText("a hint: \(command) hint \(number)", .dim),
      StyledText("step by step: \(command) walk \(number)", .dim),
      StyledText("again, one ending: \(command) \(number) --ending \(first)", .dim),
    ]
  }

  private func lines(for ending: ExerciseVerdict.OfEnding, _ most: Int) -> [StyledText] {
    let column = (verdict.endings.map(\.ending.displayWidth).max() ?? 0) + 6
    let mark = ending.solved ? StyledText("✓", .clean) : StyledText("✗", .leaked)
    var rows = (ending.sentences.first ?? ending.title).wrapped(to: width - column)
    if rows.count > most {
      rows = rows.prefix(most - 1) + [rows[most - 1].shortened(to: width - column - 2) + " …"]
    }
    let style: TextStyle? = ending.solved ? .dim : nil
    let head = "  " + mark + " " + StyledText(ending.ending.padded(to: column - 4), .emphasis)
    return rows.map { StyledText($0, style) }.hanging(behind: head)
  }
}

extension String {
  /// As many of its words as fit into this width.
  fileprivate func shortened(to width: Int) -> String {
    var words = split(separator: " ")
    while words.joined(separator: " ").displayWidth > width, words.count > 1 { words.removeLast() }
    return words.joined(separator: " ")
  }
}

/// What the learner's code has printed: marked, so that nobody believes it is memlab's.
enum ExercisePrinted {
  private static let most = 8

  /// Whether the environment asks for a backtrace, which is left out otherwise.
  static var hasBacktrace: Bool { ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] != nil }

  /// The first lines, without what Swift says of a crash; all of them when a backtrace was asked for.
  static func lines(of judged: JudgedEnding, width: Int) -> [StyledText] {
    let isCrash = judged.trial == nil
    let most = isCrash && hasBacktrace ? .max : most
    let all = judged.written.split(separator: "\n").filter { !isCrash || !$0.isOfCrash }
    guard !all.isEmpty else { return [] }
    let rest = all.count > most ? [StyledText("    | … (\(all.count - most) more lines)")] : []
    return ["", StyledText("    your code printed", .dim)]
      + all.prefix(most).map { StyledText("    | \($0.prefix(width - 6))") } + rest
  }
}

extension Substring {
  // The sentence about the crash has what matters of it.
  fileprivate var isOfCrash: Bool {
    contains("Fatal error: ") || hasPrefix("Error: ") || contains("*** ") || contains("💣")
  }
}
