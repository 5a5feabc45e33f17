import MemlabKit
import MemlabReports
import TerminalText

/// Judges one exercise: what is wrong at a glance, then the runs that show it, the verdict last.
struct ExerciseJudge {
  private let exercise: Exercise
  private let endings: [Ending]
  private let format: ExerciseFormat
  // One ending is asked for to see it, even if nothing is wrong with it.
  private let showsAll: Bool
  private let session: Session
  private let terminal: Terminal
  private let task: String

  /// A judge for one exercise.
  ///
  /// - Throws: ``ExerciseFileError`` when its task cannot be read; `UsageError` when it has no such
  ///   ending.
  init(of exercise: Exercise, _ invocation: Invocation, in session: Session) throws {
    self.exercise = exercise
    self.session = session
    endings = try invocation.endings(of: exercise)
    showsAll = invocation.isGiven("ending")
    format = invocation.choice("format", as: ExerciseFormat.self) ?? .text
    task = try session.exerciseFiles.task(of: exercise)
    terminal = session.terminal(for: invocation)
  }

  /// Runs the endings and says what came of them.
  ///
  /// - Returns: success when the exercise is solved.
  func run() throws -> ExitCode {
    try session.tellOfOldBuild(exercise, command: "exercise")
    var remarks: [String] = []
    let run = try session.exerciseRun(of: endings, detail: .everything) { remarks.append($0) }
    let judged = endings.map { _ in run.next() }
    let verdict = ExerciseVerdict(exercise, judged, in: session)
    if format == .text {
      try write(ExerciseSummary(exercise, task, verdict, width: terminal.width).lines)
      for remark in remarks { try write(ProseLines.remark(remark, width: terminal.width)) }
      let shown = judged.filter { showsAll || !$0.isSolved }
      for ending in shown { try writeRun(of: ending) }
      if !shown.isEmpty { try write([""] + ExerciseSummary.whatNow(verdict)) }
      if verdict.solved { try write(whatNext) }
    } else {
      for remark in remarks { try session.errors.write("Note: \(remark)\n") }
      try session.output.write(format.text(of: verdict))
    }
    return verdict.solved ? .success : .unexpected
  }

  private func writeRun(of judged: JudgedEnding) throws {
    let reporter = TextReporter(
      output: session.output, terminal: terminal, program: session.app.name)
    try reporter.begin(judged.ending)
    if let trial = judged.trial {
      for step in trial.steps { reporter.step(step) }
      try reporter.end(judged.ending, trial)
    }
    for sentence in judged.sentences(of: exercise) {
      try write([""] + ProseLines.paragraph(sentence, indent: "    ", width: terminal.width))
    }
    try write(ExercisePrinted.lines(of: judged, width: terminal.width))
  }

  private var whatNext: [StyledText] {
    let numbers = session.exercises.map(\.number)
    let place = numbers.firstIndex(of: exercise.number) ?? 0
    let next = numbers.dropFirst(place + 1).first.map { "next: swift run memlab exercise \($0)" }
    return next.map { [StyledText($0, .dim)] } ?? []
  }

  private func write(_ lines: [StyledText]) throws(OutputError) {
    for line in lines {
      try session.output.write(line.rendered(color: terminal.usesColor) + "\n")
    }
  }
}

extension Session {
  /// Says that the program was built before the learner's file was saved, where that is so.
  ///
  /// - Parameter command: what was typed, without the number.
  func tellOfOldBuild(_ exercise: Exercise, command: String) throws {
    guard exerciseFiles.isNewerThanProgram(exercise) else { return }
    try errors.write(
      "Note: your file is newer than this build, which runs what stood there before; "
        + "'swift run memlab \(command) \(exercise.number)' builds first, and says where it does "
        + "not compile.\n")
  }
}

/// What stands before the runs, in at most 24 lines of 80 columns.
struct ExerciseSummary {
  private let exercise: Exercise
  private let task: String
  private let verdict: ExerciseVerdict
  private let width: Int

  init(_ exercise: Exercise, _ task: String, _ verdict: ExerciseVerdict, width: Int) {
    (self.exercise, self.task, self.verdict, self.width) = (exercise, task, verdict, width)
  }

  /// The task, a mark and a sentence for each ending, the verdict, and what to type.
  var lines: [StyledText] {
    [
      StyledText("exercise \(exercise.number)", .heading) + .init(" · \(exercise.title)"),
      StyledText(verdict.file, .dim), StyledText("Lessons/\(exercise.lesson)", .dim), "",
    ] + ProseLines.paragraph(task, indent: "  ", width: width) + [""]
      + verdict.endings.flatMap(lines(for:)) + [""] + Self.whatNow(verdict)
  }

  /// The last word, and what to type.
  static func whatNow(_ verdict: ExerciseVerdict) -> [StyledText] {
    [result(of: verdict)] + help(after: verdict)
  }

  /// The last word.
  private static func result(of verdict: ExerciseVerdict) -> StyledText {
    let number = verdict.exercise
    guard !verdict.solved else {
      return StyledText("SOLVED", .clean) + " · compare: memlab exercise solution \(number)"
    }
    let (done, total) = (verdict.endings.count(where: \.solved), verdict.endings.count)
    return StyledText("NOT SOLVED YET", .leaked)
      + " · \(done) of \(counted(total, "ending")) as it should be"
  }

  private func lines(for ending: ExerciseVerdict.OfEnding) -> [StyledText] {
    let column = (verdict.endings.map(\.ending.displayWidth).max() ?? 0) + 6
    let mark = ending.solved ? StyledText("✓", .clean) : StyledText("✗", .leaked)
    let text = ending.sentences.first ?? ending.title
    var rows = text.wrapped(to: width - column)
    if rows.count > 2 { rows = [rows[0], rows[1].shortened(to: width - column - 2) + " …"] }
    let margin = String(repeating: " ", count: column)
    return rows.enumerated().map { index, row in
      let style: Style? = ending.solved ? .dim : nil
      guard index == 0 else { return StyledText(margin + row, style) }
      let name = StyledText(ending.ending.padded(to: column - 4), .emphasis)
      return "  " + mark + " " + name + StyledText(row, style)
    }
  }

  private static func help(after verdict: ExerciseVerdict) -> [StyledText] {
    guard !verdict.solved else { return [] }
    let command = "swift run memlab exercise"
    let first = verdict.endings.first { !$0.solved }?.ending ?? ""
    return [
      StyledText(
        "a hint: \(command) hint \(verdict.exercise) · step by step: exercise walk \(verdict.exercise)",
        .dim),
      StyledText(
        "again, one ending: \(command) \(verdict.exercise) --ending \(first)", .dim),
    ]
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

  /// The first lines, without what Swift says of a crash.
  static func lines(of judged: JudgedEnding, width: Int) -> [StyledText] {
    let isCrash = judged.trial == nil
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
