/// The queue of “Memory management in Combine” for OpenCombine's `receive(on:)`: it runs closures one
/// after another, in tasks, like the one in `Patterns`.
public final class DispatchQueue: Scheduler, Sendable {
  /// A time of which nothing is known but its order; nothing here is scheduled for later.
  public typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  /// There are none.
  public typealias SchedulerOptions = Never

  /// The queue that a user interface would be updated on.
  public static let main = DispatchQueue()

  private let last = Locked<Task<Void, Never>?>(nil)

  /// A queue with nothing to do.
  public init() {}

  /// Now.
  public var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride {
    ImmediateScheduler.shared.minimumTolerance
  }

  /// Runs a closure in a task of its own, once the one before it has ended.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    // One task at a time runs a closure, and each sees what the one before it has done.
    nonisolated(unsafe) let action = action
    last.withLock { last in
      last = Task { [previous = last] in
        await previous?.value
        action()
      }
    }
  }

  /// Traps: no scenario waits on a queue.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) { fatalError("no scenario schedules for later") }

  /// Traps: no scenario repeats anything on a queue.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable { fatalError("no scenario schedules for later") }
}
