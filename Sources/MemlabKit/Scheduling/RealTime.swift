import CVirtualClock

/// A clock that goes on while a run is virtual.
package enum RealTime {
  /// The time since some moment in the past.
  package static func now() -> Duration { .nanoseconds(memlab_real_nanoseconds()) }
}
