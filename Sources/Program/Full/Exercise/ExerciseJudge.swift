import MemlabCLI
import MemlabKit
import MemlabReports
import MemlabTerminalText

/// Judges one exercise: what is wrong at a glance, then the runs that show it, the verdict last.
struct ExerciseJudge {
  /// The variable of the environment that leaves out the runs, and its value.
  static let summaryOnly = (name: "MEMLAB_EXERCISE", value: "summary")

  /// The exercise.
  let exercise: Exercise
  /// What was typed.
  let invocation: Invocation
  /// Where its file is, and where the verdict goes.
  let session: Session

  private var terminal: Terminal { session.terminal(for: invocation) }

  /// Runs the endings and says what came of them.
  ///
  /// - Returns: success when the endings that are asked for are solved.
  /// - Throws: ``ExerciseFileError`` when its task cannot be read; `UsageError` when it has no such
  ///   ending.
  func run() throws -> ExitCode {
    let endings = try invocation.endings(among: exercise.endings)
    let format = invocation.choice("format", as: ExerciseFormat.self) ?? .text
    let task = try session.exerciseFiles.task(of: exercise)
    try session.tellOfOldBuild(exercise, command: "exercise")
    let (run, remark) = try session.exerciseRun(of: endings, detail: .everything)
    let judged = endings.map { _ in run.next() }
    let verdict = try ExerciseVerdict(exercise, judged, in: session)
    if format == .text {
      let width = terminal.width
      let lines = remark.map { ProseLines.remark($0, width: width) } ?? []
      let summary = ExerciseVerdictLines(
        exercise: exercise, task: task, verdict: verdict, width: width, remarks: lines.count)
      try write(summary.lines + lines)
      let isSummary = SystemCalls.environment(Self.summaryOnly.name) == Self.summaryOnly.value
      // One ending is asked for to see it, even if nothing is wrong with it.
      let shown = judged.filter { (invocation.isGiven("ending") || !$0.isSolved) && !isSummary }
      for ending in shown { try writeRun(of: ending) }
      if !shown.isEmpty { try write([""] + summary.whatNow) }
      let isWhole = endings.count == exercise.endings.count
      if verdict.solved, isWhole { try write(whatNext) }
      let right = judged.count { $0.isSolved }
      let record = AnswerRecord(
        item: "exercise/\(exercise)", answer: "\(right) of \(judged.count) endings",
        right: verdict.solved)
      if isWhole { try session.keep([record], for: terminal) }
    } else {
      try session.note(remark)
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
    if case .signalled = judged.failure, !ExercisePrinted.hasBacktrace {
      let setting = "SWIFT_BACKTRACE=enable=yes"
      try write([StyledText("    for a backtrace, set \(setting) and judge it again", .dim)])
    }
  }

  private var whatNext: [StyledText] {
    session.exercises.drop { $0.number != exercise.number }.dropFirst().prefix(1).map {
      StyledText("next: swift run memlab exercise \($0.number)", .dim)
    }
  }

  private func write(_ lines: [StyledText]) throws(OutputError) {
    try session.output.write(lines, color: terminal.usesColor)
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

/// The exercises, which of them are solved, and their files. Nothing is stored: each is run again.
enum ExerciseList {
  /// Judges every exercise and lists the results.
  static func write(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let format = invocation.choice("format", as: ExerciseFormat.self) ?? .text
    let endings = session.exercises.flatMap(\.endings)
    let (run, remark) = try session.exerciseRun(of: endings, detail: .holders)
    try session.note(remark)
    let verdicts = try session.exercises.map { exercise in
      try ExerciseVerdict(exercise, exercise.endings.map { _ in run.next() }, in: session)
    }
    if format == .text {
      try writeLines(verdicts, invocation, in: session)
    } else {
      try session.output.write(format.text(of: verdicts))
    }
    return .success
  }

  private static func writeLines(
    _ verdicts: [ExerciseVerdict], _ invocation: Invocation, in session: Session
  ) throws {
    let column = (verdicts.map(\.title.displayWidth).max() ?? 0) + 2
    for verdict in verdicts {
      let line: StyledText =
        "  " + StyledText(verdict.exercise, .emphasis) + "  "
        + StyledText(verdict.title.padded(to: column))
        + (verdict.solved ? StyledText("solved", .clean) : StyledText("not yet", .dim))
      try session.write([line, StyledText("      " + verdict.file, .dim)], for: invocation)
    }
    let solved = verdicts.count(where: \.solved)
    let next = verdicts.first { !$0.solved }
      .map { " Go on with: swift run memlab exercise \($0.exercise)" }
    try session.output.write("\n\(solved) of \(verdicts.count) solved.\(next ?? "")\n")
  }
}

extension Session {
  /// How long a step of an exercise may make no progress: long enough for any step on a loaded machine, and
  /// short for someone who waits.
  static let exercisePatience = Duration.seconds(10)

  /// A run of endings of exercises, in processes of their own where this session and the platform
  /// have that.
  ///
  /// - Parameters:
  ///   - endings: what to go through.
  ///   - detail: how much to find out about the heap.
  /// - Returns: the run, and why there is no second witness, where there is none.
  /// - Throws: `SchedulerError` when this runtime does not have the scheduler.
  func exerciseRun(
    of endings: [Ending], detail: HeapDetail
  ) throws -> (run: ExerciseRun, remark: String?) {
    let scheduler = SchedulerName.default
    let isSingleThreaded = scheduler == .virtual
    // The pool has threads, which a process that is copied must not have.
    let laboratory =
      isSingleThreaded || !measuresApart ? try Laboratory(on: scheduler, in: self) : nil
    let run = try ExerciseRun(
      endings, detail: detail, isApart: measuresApart,
      limit: standstillLimit.map { min($0, Self.exercisePatience) },
      isSingleThreaded: isSingleThreaded
    ) {
      let laboratory = try laboratory ?? Laboratory(on: scheduler, in: self)
      return (laboratory.scheduler, laboratory.witness)
    }
    return (run, laboratory?.remark)
  }
}
