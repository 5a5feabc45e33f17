import MemlabKit

/// Gone when every task has ended that was started within it, the library's own among them.
///
/// A task-local object is held by each task that inherits it, so this one counts tasks that nobody
/// has put a probe into.
final class Scope: Sendable {
  @TaskLocal private static var current: Scope?

  private let probe = Probe(Scope.self)

  /// Starts tasks within a new scope.
  static func around<Result>(_ start: () throws -> Result) rethrows -> Result {
    try $current.withValue(Scope(), operation: start)
  }
}
