import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// `memlab exercise watch`: builds and judges an exercise each time its file is saved.
struct ExerciseWatch {
  private let exercise: Exercise
  private let session: Session

  /// A watch over one exercise's file.
  init(of exercise: Exercise, in session: Session) {
    (self.exercise, self.session) = (exercise, session)
  }

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
    let root = session.exerciseFiles.rootPath
    let words = ["swift", "run", "--package-path", root, "memlab", "exercise", exercise.number]
    // The last lines of a run are of one ending; all endings at a glance fit on the screen.
    let (name, value) = ExerciseJudge.summaryOnly
    try ChildProcess.runInTerminal("/usr/bin/env", ["\(name)=\(value)"] + words)
  }
}
