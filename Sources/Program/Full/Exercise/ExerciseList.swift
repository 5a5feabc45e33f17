import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// The exercises, which of them are solved, and their files. Nothing is stored: each is run again.
enum ExerciseList {
  /// Judges every exercise and lists the results.
  static func write(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let format = invocation.choice("format", as: ExerciseFormat.self) ?? .text
    let run = try session.exerciseRun(
      of: session.exercises.flatMap(\.endings), detail: .holders, remark: { _ in })
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
      let path = StyledText("      " + verdict.file, .dim)
      try session.write([line, path], for: invocation)
    }
    let solved = verdicts.count(where: \.solved)
    let next = verdicts.first { !$0.solved }
      .map { " Go on with: swift run memlab exercise \($0.exercise)" }
    try session.output.write(
      "\n\(solved) of \(verdicts.count) solved.\(next ?? "")\n")
  }
}

extension Session {
  /// How long a step of an exercise may make no progress: long enough for any step on a loaded machine, and short for someone who waits.
  static let exercisePatience = Duration.seconds(10)

  /// A run of endings of exercises, in processes of their own where this session and the platform
  /// have that.
  ///
  /// - Parameters:
  ///   - endings: what to go through.
  ///   - detail: how much to find out about the heap.
  ///   - remark: called with why there is no second witness, where there is none.
  /// - Throws: `SchedulerError` when this runtime does not have the scheduler.
  func exerciseRun(
    of endings: [Ending], detail: HeapDetail, remark: (String) throws -> Void
  ) throws -> ExerciseRun {
    let scheduler = SchedulerName.default
    let isSingleThreaded = scheduler == .virtual
    // The pool has threads, which a process that is copied must not have.
    let laboratory =
      isSingleThreaded || !measuresApart ? try Laboratory(on: scheduler, in: self) : nil
    if let sentence = laboratory?.remark { try remark(sentence) }
    return try ExerciseRun(
      endings, detail: detail, isApart: measuresApart,
      limit: standstillLimit.map { min($0, Self.exercisePatience) },
      isSingleThreaded: isSingleThreaded
    ) {
      let laboratory = try laboratory ?? Laboratory(on: scheduler, in: self)
      return (laboratory.scheduler, laboratory.witness)
    }
  }
}
