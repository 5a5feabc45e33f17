import Synchronization

/// Marks the tasks of one check.
///
/// A task-local value is copied into every unstructured task that is created in its scope, and into
/// the tasks that those create. A task releases its copy when its body has returned. So the token
/// is deinitialised when the last of these tasks has ended, and its deinit reports that.
final class ScopeToken: Sendable {
  /// The token of the check whose body the calling task belongs to.
  @TaskLocal static var current: ScopeToken?

  /// The check.
  let scope: LeakScope
  // A task has one token, that of the innermost check. This token holds the outer one until the
  // inner check is judged.
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

  /// Lets an outer check end although tasks of this one still run: they have been judged.
  func leaveOuter() { outer.withLock { $0 = nil } }
}
