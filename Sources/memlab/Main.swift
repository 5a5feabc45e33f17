import MemlabCLI

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@main
enum Main {
  // Synchronous, because the deterministic scheduler must be there before the first task is.
  static func main() {
    exit(Memlab().run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
