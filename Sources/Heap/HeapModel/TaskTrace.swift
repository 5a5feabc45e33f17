/// A task, and where in the code it waits.
package struct TaskTrace: Sendable {
  /// The task.
  package let task: HeapTask
  /// What it waits in; nil when that is not known.
  package let suspendedIn: String?
  /// The user's functions, the innermost first.
  package let frames: [AsyncFrame]
  /// The tasks in its groups.
  package let children: [TaskTrace]

  private let declaration: @Sendable (AsyncFrame) -> CodeLocation?

  /// A task whose backtrace was read.
  ///
  /// - Parameter declaration: finds the line where a function is written.
  package init(
    _ task: HeapTask, _ trace: AsyncBacktrace?, children: [TaskTrace],
    declaration: @escaping @Sendable (AsyncFrame) -> CodeLocation?
  ) {
    (self.task, self.children, self.declaration) = (task, children, declaration)
    suspendedIn = trace?.suspendedIn
    frames = (trace?.frames ?? []).filter { !$0.isLibrary }
  }

  /// `task "forwarder"`, or where it was created when it has no name.
  package var title: String { title(createdIn: origin) }

  /// The same with the line that it was created at, where that is known.
  package var titleWithLine: String { title(createdIn: originWithLine) }

  private func title(createdIn origin: String?) -> String {
    task.name.map { "task \"\($0)\"" } ?? "a task" + (origin.map { " created in \($0)" } ?? "")
  }

  /// The function that the task was created in. A closure is created where it is written:
  /// `closure #1 in start()` in `start()`.
  package var origin: String? {
    guard let frame = frames.last else { return nil }
    guard !frame.isImplicitClosure, let range = frame.function.firstRange(of: " in ") else {
      return frame.function
    }
    return String(frame.function[range.upperBound...])
  }

  /// The same with the line of the closure's opening brace, that of `Task {`, after ` at `; without
  /// where that is not known.
  package var originWithLine: String? {
    origin.map { origin in
      frames.last.flatMap(declaration).map { "\(origin) at \($0)" } ?? origin
    }
  }

  /// What a task does.
  package var state: String {
    if task.isRunning { return "running" }
    if task.isEnqueued { return "waiting for its turn" }
    return suspendedIn.map { "suspended in \($0)" } ?? "suspended"
  }
}
