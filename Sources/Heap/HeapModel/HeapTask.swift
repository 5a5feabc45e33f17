import MemlabRuntimeABI

/// A task that was on the heap when the snapshot was taken.
package struct HeapTask: Sendable, Hashable {
  /// The name given at creation, if any. A task that has finished has no name any more.
  package var name: String?
  /// The runtime's number for the task; unique within the process.
  package var id: UInt64
  /// Whether its body has returned. An unfinished task is kept alive by the runtime itself.
  package var isFinished: Bool
  /// Whether it was cancelled.
  package var isCancelled: Bool
  /// Whether it is waiting for its turn on an executor.
  package var isEnqueued: Bool
  /// Whether a thread is executing it. A task that is neither finished nor enqueued nor
  /// running is suspended.
  package var isRunning: Bool
  /// Where the task was. For the backtrace, while the task is known not to have moved on.
  package var address: UInt = 0
  /// Where the task is whose child this one is; zero for an unstructured task.
  package var parent: UInt = 0
  /// Where the tasks are that wait for its result.
  package var waiters: [UInt] = []

  /// A task, as the heap has it.
  package init(
    name: String?, id: UInt64, isFinished: Bool, isCancelled: Bool, isEnqueued: Bool,
    isRunning: Bool, address: UInt = 0, parent: UInt = 0, waiters: [UInt] = []
  ) {
    (self.name, self.id, self.isFinished) = (name, id, isFinished)
    (self.isCancelled, self.isEnqueued, self.isRunning) = (isCancelled, isEnqueued, isRunning)
    (self.address, self.parent, self.waiters) = (address, parent, waiters)
  }

  /// The task's memory, to be read only while its state can't change.
  package var pointer: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: address) }
}

extension HeapTask {
  /// Whether no thread runs the task, and it is on no executor's queue.
  package var isSuspended: Bool { !isFinished && !isRunning && !isEnqueued }

  /// Whether another task waits for this one at the end of a scope: a child in a group, or of
  /// `async let`.
  package var isChild: Bool { parent != 0 }

  /// Whether the library that runs tests has made and named it.
  package var isOfTestLibrary: Bool { name?.hasPrefix(abi.testing.taskPrefix) == true }

  /// Whether it is the other's child.
  package func isChild(of other: HeapTask) -> Bool { parent != 0 && parent == other.address }
}

/// Something that may still run code of a program, so that what it keeps may yet go.
package enum PendingWork: Sendable, Hashable, CustomStringConvertible {
  /// A task that has not ended, with its name.
  case task(String?)
  /// A block that libdispatch is still to call: when its turn comes, or when a timer fires.
  case block
  /// A timer of an event loop.
  case timer
  /// A connection that an event loop watches.
  case connection
  /// A thread that runs, that waits in the middle of somebody's code, or that has just begun.
  case thread(String?)
  /// A process that this one has started: when it ends, what waits for that goes on.
  case process

  /// What it is, with an article: `a timer of an event loop`.
  package var description: String {
    switch self {
    case .task(let name): name.map { "task \"\($0)\"" } ?? "a task"
    case .block: "a block that a queue or a timer is to call"
    case .timer: "a timer of an event loop"
    case .connection: "a connection that an event loop watches"
    case .thread(let name): name.map { "thread \"\($0)\"" } ?? "a thread"
    case .process: "a process that was started"
    }
  }
}

/// Whether something that could still run has a way to some tasks and objects.
package enum IncomingPaths: Sendable {
  /// Nothing has: they are lost for good.
  case none
  /// Something has, or may have.
  case found
  /// A thread was running, and nothing tells what it knows. Another look may find it waiting.
  case unclear
}

/// What leads somewhere, and can do nothing there as long as somebody waits; as a clause.
package enum SpentWay: String, Sendable {
  /// A timer.
  case lateTimer = "only a timer can reach it, and that fires later than the check waits"
  /// A thread that waits for a semaphore or a condition variable that nothing else which runs can reach.
  case blockedThread = "only a thread can reach it that waits, and nothing can wake that thread"
}
