import Foundation
import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabTerminalText

/// A memlab whose catalog has only the scenarios that its first word names, with commas in between.
@main enum Main {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let chosen = (words.first ?? "").split(separator: ",").map(String.init)
    var session = Session.ofProgram(.memlab)
    session.app.scenarios.removeAll { !chosen.contains($0.id) }
    exit(Memlab(session: session).run(Array(words.dropFirst())).rawValue)
  }
}
