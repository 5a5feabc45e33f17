#if compiler(>=6.3) && !canImport(Darwin)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  /// A clock that counts ticks, and does not say how long one takes.
  struct TickClock: Clock {
    /// A number of ticks.
    struct Ticks: DurationProtocol, Hashable {
      var count: Int

      static let zero = Ticks(count: 0)
      static func + (one: Ticks, other: Ticks) -> Ticks { Ticks(count: one.count + other.count) }
      static func - (one: Ticks, other: Ticks) -> Ticks { Ticks(count: one.count - other.count) }
      static func * (ticks: Ticks, factor: Int) -> Ticks { Ticks(count: ticks.count * factor) }
      static func / (ticks: Ticks, divisor: Int) -> Ticks { Ticks(count: ticks.count / divisor) }
      static func / (one: Ticks, other: Ticks) -> Double { Double(one.count) / Double(other.count) }
      static func < (one: Ticks, other: Ticks) -> Bool { one.count < other.count }
    }

    /// A moment, in ticks since the clock was started.
    struct Instant: InstantProtocol {
      var ticks: Ticks

      func advanced(by duration: Ticks) -> Instant { Instant(ticks: ticks + duration) }
      func duration(to other: Instant) -> Ticks { other.ticks - ticks }
      static func < (one: Instant, other: Instant) -> Bool { one.ticks < other.ticks }
    }

    let now = Instant(ticks: .zero)
    let minimumResolution = Ticks(count: 1)

    func sleep(until deadline: Instant, tolerance: Ticks?) async throws {}
  }

  /// Delays each job of its actor by a number of ticks.
  final class TickExecutor: SerialExecutor {
    private let isDeadline: Bool

    /// An executor that passes the delay as a deadline, or as a duration.
    init(isDeadline: Bool) { self.isDeadline = isDeadline }

    func enqueue(_ job: consuming ExecutorJob) {
      guard let executor = Task.defaultExecutor as? any SchedulingExecutor else {
        preconditionFailure("the default executor cannot delay jobs")
      }
      let (clock, ticks) = (TickClock(), TickClock.Ticks(count: 3))
      if isDeadline {
        executor.enqueue(job, at: clock.now.advanced(by: ticks), tolerance: nil, clock: clock)
      } else {
        executor.enqueue(job, after: ticks, tolerance: nil, clock: clock)
      }
    }
  }

  /// An actor whose jobs wait for a ``TickClock``.
  actor Ticker {
    private let executor: TickExecutor

    init(isDeadline: Bool) { executor = TickExecutor(isDeadline: isDeadline) }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs on the actor's executor.
    func tick() {}
  }
#endif
