import CVirtualClock

/// The clocks that the draining thread reads.
enum VirtualTime {
  /// A sleep of a century or more is meant to last for ever: no clock gets there.
  static let forEver = Duration.seconds(100 * 365 * 86_400)

  /// Stops the calling thread's clocks at this time since the start of the run; after 292 years,
  /// the most that they can count in nanoseconds, they stand still.
  static func set(_ now: Duration) {
    let (seconds, attoseconds) = now.components
    let (nanoseconds, isTooMany) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooMuch) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
    memlab_virtual_clock_set(isTooMany || isTooMuch ? .max : sum)
  }

  /// A delay as it was meant.
  ///
  /// Where the thread's clocks cannot be stopped (sanitizer builds, platforms other than Linux), a
  /// few microseconds pass between a deadline's making and its reading; whole milliseconds hide
  /// them.
  static func settled(_ delay: Duration) -> Duration {
    guard memlab_virtual_clock_available() == 0, delay < forEver else { return delay }
    let milliseconds = (delay / .milliseconds(1)).rounded()
    return .milliseconds(Int64(milliseconds))
  }
}
