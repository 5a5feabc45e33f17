import MemlabRuntimeABI

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
  /// The task whose value it waits for, as its ``title``; nil where that is not known.
  package let awaited: String?

  private let declaration: @Sendable (AsyncFrame) -> CodeLocation?

  /// A task whose backtrace was read.
  ///
  /// - Parameter declaration: finds the line where a function is written.
  package init(
    _ task: HeapTask, _ trace: AsyncBacktrace?, children: [TaskTrace], awaited: String? = nil,
    declaration: @escaping @Sendable (AsyncFrame) -> CodeLocation?
  ) {
    (self.task, self.children, self.declaration) = (task, children, declaration)
    self.awaited = awaited
    suspendedIn = trace?.suspendedIn
    frames = (trace?.frames ?? []).filter { !$0.isLibrary && !$0.isOfMacro }
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
    origin.map { origin in frames.last.flatMap(declaration).map { "\(origin) at \($0)" } ?? origin }
  }

  /// What a task does.
  package var state: String {
    if task.isRunning { return "running" }
    if task.isEnqueued { return "waiting for its turn" }
    // What waits for a task waits in its value, also where libraries have no names.
    let place = awaited.map { "\(suspendedIn ?? "Task.value") of \($0)" } ?? suspendedIn
    return "suspended" + (place.map { " in \($0)" } ?? "")
      + (task.isCancelled ? ", though it is cancelled" : "")
  }
}

/// Where a suspended task waits, and through which functions it got there.
///
/// ```swift
/// if let trace = AsyncBacktrace(ofTask: address, hiding: ["MemlabKit"]) {
///   print("suspended in", trace.suspendedIn ?? "?")
///   for frame in trace.frames { print(frame.function, frame.location?.description ?? "") }
/// }
/// ```
///
/// MemlabHeapReader reads it.
package struct AsyncBacktrace: Sendable, Equatable {
  /// What the task waits in: `AsyncThrowingStream.Iterator.next()`, `withCheckedContinuation`,
  /// `Task.sleep`, `Task.value`, `async let`; "a continuation" when the optimiser left no name.
  ///
  /// Nil when the innermost function is the user's own: the task waits for its turn or runs.
  package let suspendedIn: String?
  /// The functions that wait for one another, innermost first, without the library's at both ends.
  package let frames: [AsyncFrame]

  /// A backtrace that was read.
  package init(suspendedIn: String?, frames: [AsyncFrame]) {
    (self.suspendedIn, self.frames) = (suspendedIn, frames)
  }
}

/// One async function of a suspended task.
package struct AsyncFrame: Sendable, Hashable {
  /// The short name: `closure #1 in closure #1 in didChangeDataCache`.
  package let function: String
  /// The whole demangled name.
  package let fullName: String
  /// The line of the `await`, or of the `for await`, that the function waits at, in a file with its last
  /// path component; nil without debug information.
  package let location: CodeLocation?
  /// Whether the function belongs to Swift's libraries, between two of the user's functions.
  package let isLibrary: Bool
  /// Whether the file belongs to a package that SwiftPM has fetched; false without debug information.
  package private(set) var isOfDependency = false
  /// Where the function goes on; means nothing in another process.
  package private(set) var address: UInt = 0

  /// A function, and where it goes on.
  package init(
    function: String, fullName: String, location: CodeLocation?, isLibrary: Bool,
    isOfDependency: Bool, address: UInt
  ) {
    (self.function, self.fullName, self.location) = (function, fullName, location)
    (self.isLibrary, self.isOfDependency) = (isLibrary, isOfDependency)
    self.address = address
  }

  /// Whether a macro has written the function, such as the one that `@Test` puts around a test's.
  fileprivate var isOfMacro: Bool { function.hasPrefix("$s") }

  /// Whether the compiler has put a closure around an expression here, such as that of `async let`:
  /// ``function`` is the one that the expression stands in then.
  package var isImplicitClosure: Bool {
    let end = fullName.firstRange(of: " in ")?.lowerBound ?? fullName.endIndex
    return fullName[..<end].contains("\(abi.glue.implicitClosure)")
  }
}
