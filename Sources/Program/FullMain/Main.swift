import MemlabCLI
import MemlabCourse
import MemlabPlatform
import MemlabTerminalText

/// The program `memlab-full`: memlab with all its commands.
@main
enum Main {
  /// Runs the command that the arguments name, and exits with its code.
  ///
  /// Synchronous, because the deterministic scheduler must be there before the first task is.
  static func main() { exit(Memlab(.memlab).run(OwnProgram.words).rawValue) }
}
