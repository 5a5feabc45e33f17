import MemlabCLI
import MemlabPlatform
import MemlabScenarios
import MemlabTerminalText
import MemlabWitness

/// The program `memlab`: its arguments in, its exit code out.
///
/// It has what a first scenario needs, so that the first build is short. The other commands are in
/// `memlab-full`, which it builds when they are asked for.
@main
enum Main {
  /// Runs the command that the arguments name, and exits with its code.
  ///
  /// Synchronous, because the deterministic scheduler must be there before the first task is.
  static func main() {
    let words = OwnProgram.words
    if let words, FullProgram.isNeeded(for: words) { exit(FullProgram.replaceThis(words).rawValue) }
    var app = App(scenarios: Catalog.scenarios, course: Course(lessons: []), heap: RealHeap.self)
    app.startsFullProgram = true
    exit(Memlab(app).run(words).rawValue)
  }
}
