import ExerciseSolutions
import MemlabCLI
import MemlabCourse
import TerminalText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A memlab whose exercises are all solved.
@main
enum Main {
  static func main() {
    var session = Session.ofProgram(.memlab)
    session.app.course?.exercises = Solutions.all
    exit(Memlab(session: session).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
