/// A queue that runs closures one after another, in tasks.
///
/// It stands in for Dispatch's where document 003 says `receive(on: DispatchQueue.main)`. Dispatch's
/// main queue needs a main thread that serves it, which a command-line program that waits for its
/// results does not have; tasks run on whatever executors the process has. In an app, make
/// Dispatch's own queue a ``Scheduler``: its `schedule` is `async(execute:)`.
public final class DispatchQueue: Scheduler, Sendable {
  /// The queue that a user interface would be updated on.
  public static let main = DispatchQueue()

  private let last = Locked<Task<Void, Never>?>(nil)

  /// A queue with nothing to do.
  public init() {}

  /// Runs a closure in a task of its own, once the one before it has ended.
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

/// A closure that one task after another runs: each sees what the one before it has done.
private struct HandedOver: @unchecked Sendable {
  let action: () -> Void
}
