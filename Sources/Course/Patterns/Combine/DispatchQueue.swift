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
/// of the one before, so sharing it is safe.
private struct HandedOver: @unchecked Sendable {
  let action: () -> Void
}
