import Foundation
import MemlabCLI
import MemlabCourse
import MemlabExerciseSolutions
import MemlabPlatform
import MemlabTerminalText

/// A memlab whose exercises are all solved. The learner's files are those of the checkout that
/// `MEMLAB_CHECKOUT` names, by default those of its own.
@main enum Main {
  static func main() {
    var session = Session.ofProgram(.memlab)
    session.app.course?.exercises = { Solutions.all }
    if let checkout = ProcessInfo.processInfo.environment["MEMLAB_CHECKOUT"] {
      session.checkout = URL(filePath: checkout)
    }
    exit(Memlab(session: session).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
