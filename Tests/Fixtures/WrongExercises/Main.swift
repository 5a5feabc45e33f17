import Exercises
import MemlabCLI

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A memlab whose exercises are solved as learners solve them at first.
@main
enum Main {
  private static let exercises: [Exercise] = [
    .playlist(Playlist.self), .account(Account.self), .doorbell(Doorbell.self),
  ]

  static func main() {
    let session = Session(exercises: exercises)
    exit(Memlab(session: session).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
