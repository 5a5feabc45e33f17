import MemlabCLI
import MemlabCourse
import TerminalText

@main
enum Main {
  // Synchronous, because the deterministic scheduler must be there before the first task is.
  static func main() {
    exit(Memlab(.memlab).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
