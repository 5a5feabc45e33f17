internal import Synchronization

/// What tells the tasks of one check from all others.
///
/// A task-local value is copied into every unstructured task that is created in its scope, and into
/// theirs, however deep; a task lets go of it when its body has returned. So the token goes when the
/// last of them has ended, and says so.
final class ScopeToken: Sendable {
  /// The token of the check whose body the calling task belongs to.
  @TaskLocal static var current: ScopeToken?

  /// The check.
  let scope: LeakScope
  // A task has one token: that of the innermost check. It keeps the outer one's until it is judged.
  private let outer: Mutex<ScopeToken?>

  /// A token for the tasks of a check.
  init(scope: LeakScope, inside outer: ScopeToken?) {
    self.scope = scope
    self.outer = Mutex(outer)
  }

  deinit { scope.lastTaskEnded.raise() }

  /// Calls `body` with the check and each one around it.
  func forEachScope(_ body: (LeakScope) -> Void) {
    body(scope)
    outer.withLock { $0 }?.forEachScope(body)
  }

  /// Whether a task with the token is one of a check's.
  func belongs(to check: LeakScope) -> Bool {
    scope === check || outer.withLock { $0 }?.belongs(to: check) == true
  }

  /// Lets an outer check be over even if tasks of this one go on: they have been judged.
  func leaveOuter() { outer.withLock { $0 = nil } }
}
