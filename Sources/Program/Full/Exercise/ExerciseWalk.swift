import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// `memlab exercise walk`: goes through the endings of an exercise step by step, as the learner left
/// it.
struct ExerciseWalk {
  private let exercise: Exercise
  private let endings: [Ending]
  private let invocation: Invocation
  private let session: Session

  /// A walk through some endings of an exercise.
  init(
    of exercise: Exercise, _ endings: [Ending], _ invocation: Invocation, in session: Session
  ) {
    (self.exercise, self.endings) = (exercise, endings)
    (self.invocation, self.session) = (invocation, session)
  }

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
    let measurements = try EndingMeasurements(
      endings.map { (scenario, $0) }, request, in: patient)
    try measurements.writeRemark(in: session)
    let isSolved = try session.walker(for: invocation, Predictions()).show(
      scenario, endings, program: invocation.program
    ) { ending in
      switch try measurements.film(in: session, showingCrashes: false) {
      case .success(let film): return film
      case .failure(let failure):
        try session.output.write(sentence(about: failure, ending))
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

  private func sentence(about failure: TrialFailure, _ ending: Ending) -> String {
    let command = "\(invocation.program) exercise \(exercise) --ending \(ending.name)"
    return "\(failure). There are no steps to go through; '\(command)' says more.\n"
  }
}
