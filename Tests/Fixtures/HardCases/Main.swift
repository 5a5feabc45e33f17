import MemlabCLI
import MemlabKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A memlab with scenarios that are hard to report on, or that never come to rest.
@main
enum Main {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let session = Session(scenarios: [Namesakes.scenario])
    exit(Memlab(session: session).run(words).rawValue)
  }
}
