import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// `memlab exercise walk`: goes through the endings of an exercise step by step, as the learner left
/// it.
struct ExerciseWalk {
  /// The exercise.
  let exercise: Exercise
  /// The endings to go through.
  let endings: [Ending]
  /// What was typed.
  let invocation: Invocation
  /// What runs them.
  let session: Session

  /// Runs the endings and shows them, one after the other.
  ///
  /// - Returns: success when all that was shown is as it should be.
  /// - Throws: ``ExerciseFileError`` when the learner's file cannot be read.
  func run() throws -> ExitCode {
    try session.tellOfOldBuild(exercise, command: "exercise walk")
    let scenario = try scenario()
    let request = MeasurementRequest(.everyStep(), onDemand: true)
    var patient = session
    patient.standstillLimit = session.standstillLimit.map { min($0, Session.exercisePatience) }
    let measurements = try EndingMeasurements(endings.map { (scenario, $0) }, request, in: patient)
    try session.note(measurements.remark)
    let isSolved = try session.walker(for: invocation, Predictions()).show(
      scenario, endings, program: invocation.program
    ) { ending in
      switch try measurements.film(in: session, showingCrashes: false) {
      case .success(let film): return film
      case .failure(let failure):
        let command = "\(invocation.program) exercise \(exercise) --ending \(ending.name)"
        try session.output.write(
          "\(failure). There are no steps to go through; '\(command)' says more.\n")
        return nil
      }
    }
    return isSolved ? .success : .unexpected
  }

  // Walks are of scenarios. The code under study is the learner's file as it is now.
  private func scenario() throws -> Scenario {
    let (code, line) = try session.exerciseFiles.code(of: exercise)
    let path = session.exerciseFiles.path(of: exercise)
    return Scenario(
      id: "exercise \(exercise)", title: exercise.title, lesson: exercise.lesson,
      question: "Run your code in your head first. What is left, and who holds it?",
      hint: exercise.hint, endings: endings, path: path, line: line
    ).showing([Listing("code", path: path, line: line, marked: code)])
  }
}

/// `memlab exercise watch`: builds and judges an exercise each time its file is saved.
struct ExerciseWatch {
  /// The exercise whose file is watched.
  let exercise: Exercise
  /// What has the file.
  let session: Session

  /// Judges, waits until the file is saved, and so on, until the user ends the program.
  ///
  /// - Throws: ``FileWatchError`` when the file cannot be watched.
  func run() throws {
    let path = session.exerciseFiles.path(of: exercise)
    let watch = try FileWatch(of: session.exerciseFiles.url(of: exercise).path)
    try session.output.write("Watching \(path).\nSave it to have it judged; Ctrl-C ends.\n")
    repeat {
      try session.output.write("\n")
      try judge()
    } while try watch.waitForSave()
  }

  // The new code is in a new program, so this one only starts it.
  private func judge() throws {
    let root = session.exerciseFiles.root.path
    let words = ["swift", "run", "--package-path", root, "memlab", "exercise", exercise.number]
    // The last lines of a run are of one ending; all endings at a glance fit on the screen.
    let (name, value) = ExerciseJudge.summaryOnly
    try ChildProcess.runInTerminal("/usr/bin/env", ["\(name)=\(value)"] + words)
  }
}
