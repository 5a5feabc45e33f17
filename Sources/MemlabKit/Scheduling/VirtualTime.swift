import CVirtualClock

/// The clocks that the draining thread reads.
enum VirtualTime {
  /// Stops the calling thread's clocks at this time since the start of the run.
  static func set(_ now: Duration) {
    let (seconds, attoseconds) = now.components
    memlab_virtual_clock_set(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// A delay as it was meant.
  ///
  /// Where the thread's clocks cannot be stopped (sanitizer builds, platforms other than Linux), a
  /// few microseconds pass between a deadline's making and its reading; whole milliseconds hide
  /// them.
  static func settled(_ delay: Duration) -> Duration {
    guard memlab_virtual_clock_available() == 0 else { return delay }
    let milliseconds = (delay / .milliseconds(1)).rounded()
    return .milliseconds(Int64(milliseconds))
  }
}
