import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The processor time of a program of its own, from its start to its end.
enum ChildTime {
  /// This program.
  static var memlab: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      CommandLine.arguments[0]
    #endif
  }

  /// Runs a program, throws away what it writes to its standard output, and waits for its end.
  ///
  /// - Throws: `BenchError` when it cannot be started, or ends otherwise than with 0.
  static func of(_ program: String, _ arguments: [String]) throws(BenchError) -> Duration {
    let shown = (["memlab"] + arguments).joined(separator: " ")
    guard let id = spawn(program, arguments) else {
      throw BenchError("'\(shown)' could not be started")
    }
    var (status, usage) = (Int32(), rusage())
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    guard status == 0 else { throw BenchError("'\(shown)' did not end with 0") }
    return usage.ru_utime.duration + usage.ru_stime.duration
  }

  private static func spawn(_ program: String, _ arguments: [String]) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let environment = ProcessInfo.processInfo.environment
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for copy in words + variables { free(copy) } }
    var id = pid_t()
    return posix_spawn(&id, program, &actions, nil, words, variables) == 0 ? id : nil
  }
}

extension timeval {
  fileprivate var duration: Duration { .seconds(tv_sec) + .microseconds(Int64(tv_usec)) }
}
