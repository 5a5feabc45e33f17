/// Runs closures later, on another thread or task.
public protocol Scheduler {
  /// The options for running a closure; `Never` if there are none.
  associatedtype SchedulerOptions = Never

  /// Runs a closure as soon as possible, after those that were scheduled before.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
}

extension Scheduler {
  /// Runs a closure as soon as possible, after those that were scheduled before.
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
}

extension Publisher {
  /// Delivers values and the completion on a scheduler.
  ///
  /// A scheduled value is not delivered if the subscription is cancelled first.
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// The publisher of `receive(on:)`.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The publisher of the values.
    let upstream: Upstream
    /// Where values are delivered.
    let scheduler: Context
    /// How they are delivered.
    let options: Context.SchedulerOptions?

    /// Begins to deliver to this subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.subscribe(Inner(downstream: subscriber, operation: self))
    }

    private final class Inner<Downstream: Subscriber<Output, Failure>>: Relay {
      let joint: Joint<Downstream>
      private let scheduler: Context
      private let options: Context.SchedulerOptions?

      init(downstream: Downstream, operation: ReceiveOn) {
        joint = Joint(downstream)
        (scheduler, options) = (operation.scheduler, operation.options)
      }

      func receive(_ value: Output) -> Subscribers.Demand {
        scheduler.schedule(options: options) { _ = self.joint.downstream?.receive(value) }
        return .none
      }

      func receive(completion: Subscribers.Completion<Failure>) {
        scheduler.schedule(options: options) { self.joint.finish(completion) }
      }
    }
  }
}

/// A queue that runs closures one after another, in tasks.
///
/// It replaces Dispatch's queue in `receive(on: DispatchQueue.main)`. Dispatch's main queue needs a
/// main thread that serves it, and a command-line program that waits for its results has none.
/// Tasks run on the process's executors. In an app, make Dispatch's own queue a ``Scheduler``: its
/// `schedule` is `async(execute:)`.
public final class DispatchQueue: Scheduler, Sendable {
  /// The queue for updates of a user interface.
  public static let main = DispatchQueue()

  private let last = Locked<Task<Void, Never>?>(nil)

  /// An empty queue.
  public init() {}

  /// Runs a closure in a new task, after the closure before it has ended.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    let handed = HandedOver(action: action)
    last.withLock { last in
      last = Task { [previous = last] in
        await previous?.value
        handed.action()
      }
    }
  }
}

/// A closure that is passed to a task. One task at a time runs a closure, and each sees the changes
/// of the one before, so sharing it is safe. Swift 6.2 does not take a `nonisolated(unsafe)` variable.
private struct HandedOver: @unchecked Sendable {
  let action: () -> Void
}
