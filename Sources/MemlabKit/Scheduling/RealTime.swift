import CVirtualClock

/// A clock that shows real time also in a deterministic run.
package enum RealTime {
  /// The time since some moment in the past.
  package static func now() -> Duration { .nanoseconds(memlab_real_nanoseconds()) }
}
