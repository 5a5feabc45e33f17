import CMemlabLab

/// The clocks that the draining thread reads.
enum VirtualTime {
  /// A sleep of a century or more counts as infinite.
  static let infinite = Duration.seconds(100 * 365 * 86_400)

  /// Sets the calling thread's clocks to this time since the start of the run.
  ///
  /// They count nanoseconds in 64 bits, so the latest time is 292 years.
  static func set(_ now: Duration) {
    let (seconds, attoseconds) = now.components
    let (nanoseconds, isTooMany) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooMuch) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
    memlab_virtual_clock_set(isTooMany || isTooMuch ? .max : sum)
  }

  /// The delay that the code asked for.
  ///
  /// Where the thread's clocks cannot be stopped (sanitizer builds, platforms other than Linux), a
  /// few microseconds pass after the deadline was computed. Rounding to milliseconds removes them.
  static func settled(_ delay: Duration) -> Duration {
    guard memlab_virtual_clock_available() == 0, delay < infinite else { return delay }
    let milliseconds = (delay / .milliseconds(1)).rounded()
    return .milliseconds(Int64(milliseconds))
  }
}

/// A clock that shows real time also in a deterministic run.
package enum RealTime {
  /// The time since some moment in the past.
  package static func now() -> Duration { .nanoseconds(memlab_real_nanoseconds()) }
}
