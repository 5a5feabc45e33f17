#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The time that processors have worked for a process.
///
/// Not the time on the wall, which other programs delay and which memlab's scheduler replaces.
package enum ProcessorTime {
  /// For this process since it began, all threads together.
  package static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// What a body takes.
  static func of(_ body: () throws -> Void) rethrows -> Duration {
    let start = now()
    try body()
    return now() - start
  }
}
