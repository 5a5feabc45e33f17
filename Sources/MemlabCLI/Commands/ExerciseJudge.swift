import Exercises
import MemlabKit

/// Runs one exercise through its endings and says what is still wrong.
struct ExerciseJudge {
  private let exercise: Exercise
  private let session: Session
  private let laboratory: Laboratory
  private let terminal: Terminal
  private let task: String

  /// A judge for one exercise.
  ///
  /// - Throws: ``ExerciseFileError`` when its task cannot be read.
  init(of exercise: Exercise, _ invocation: Invocation, in session: Session) throws {
    self.exercise = exercise
    self.session = session
    task = try session.exerciseFiles.task(of: exercise)
    terminal = session.terminal(for: invocation)
    laboratory = try Laboratory(on: .default, in: session)
  }

  /// Runs every ending, shows those that are not as they should be, and sums up.
  ///
  /// - Returns: success when the exercise is solved.
  func run() throws -> ExitCode {
    try writeHeading()
    let reporter = TextReporter(output: session.output, terminal: terminal)
    if let remark = laboratory.remark { try reporter.remark(remark) }
    if session.exerciseFiles.isNewerThanProgram(exercise) {
      try session.errors.write(
        "Note: your file is newer than this build, which judges what stood there before; "
          + "'swift run memlab exercise \(exercise.number)' builds first.\n")
    }
    var missed = 0
    for ending in exercise.endings {
      try reporter.begin(ending)
      let trial = try laboratory.run(ending) { reporter.step($0) }
      try reporter.end(ending, trial)
      try writeAdvice(on: trial, of: ending)
      missed += trial.asExpected ? 0 : 1
    }
    try writeResult(missed: missed)
    return missed == 0 ? .success : .unexpected
  }

  private func writeHeading() throws {
    try write(StyledText("exercise \(exercise.number)", .heading) + .init(" · \(exercise.title)"))
    try write(StyledText(session.exerciseFiles.path(of: exercise), .dim))
    try write(StyledText("Lessons/\(exercise.lesson)", .dim))
    try write("")
    for line in ProseLines.paragraph(task, indent: "  ", width: terminal.width) { try write(line) }
  }

  private func writeAdvice(on trial: TrialReport, of ending: Ending) throws {
    let sentences = ExerciseAdvice.sentences(on: trial, of: ending, in: exercise)
    if !sentences.isEmpty { try write("") }
    for sentence in sentences {
      for line in ProseLines.paragraph(sentence, indent: "    ", width: terminal.width) {
        try write(line)
      }
    }
  }

  private func writeResult(missed: Int) throws {
    let number = exercise.number
    try write("")
    if missed == 0 {
      try write(StyledText("SOLVED", .clean) + " · compare: memlab exercise solution \(number)")
      if let next = nextNumber {
        try write(StyledText("next: swift run memlab exercise \(next)", .dim))
      }
    } else {
      let total = exercise.endings.count
      try write(
        StyledText("NOT SOLVED YET", .leaked)
          + " · \(total - missed) of \(counted(total, "ending")) as it should be")
      try write(StyledText("edit \(session.exerciseFiles.path(of: exercise))", .dim))
      try write(StyledText("build and judge it: swift run memlab exercise \(number)", .dim))
      try write(StyledText("a hint: memlab exercise hint \(number)", .dim))
    }
  }

  private var nextNumber: String? {
    session.exercises.first { $0.number > exercise.number }?.number
  }

  private func write(_ line: StyledText) throws(OutputError) {
    try session.output.write(line.rendered(color: terminal.usesColor) + "\n")
  }
}

/// What an ending's differences mean, in sentences.
enum ExerciseAdvice {
  /// A sentence for each figure that is not as it should be, and for what is not counted at all.
  static func sentences(
    on trial: TrialReport, of ending: Ending, in exercise: Exercise
  ) -> [String] {
    let uncounted =
      ending.expects.objects.filter { expected in
        expected.created > 0 && !trial.objects.contains { $0.type == expected.type }
      }
      .map { "No \($0.type) was counted: each has to store Probe(\($0.type).self)." }
      + ending.expects.tasks.filter { expected in
        expected.started > 0 && !trial.tasks.contains { $0.name == expected.name }
      }
      .map { "No task \($0.name) was counted: it is started with Task(probe: \"\($0.name)\")." }
    let figures = ending.expects.metrics.keys.sorted()
      .filter { trial.metrics[$0] != ending.expects.metrics[$0] }
      .compactMap { name in exercise.figures[name.rawValue].map { "\(name) \($0)" } }
    return uncounted + figures
  }
}
