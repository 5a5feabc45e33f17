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

  /// What it is, with an article: `a timer of an event loop`.
  package var description: String {
    switch self {
    case .task(let name): name.map { "task \"\($0)\"" } ?? "a task"
    case .block: "a block that a queue or a timer is to call"
    case .timer: "a timer of an event loop"
    case .connection: "a connection that an event loop watches"
    case .thread(let name): name.map { "thread \"\($0)\"" } ?? "a thread"
    }
  }
}
