/// Where a suspended task waits, on Linux; here nobody reads that.
package struct AsyncBacktrace: Sendable {
  private let none: Never

  /// Nil, whatever the task.
  package init?(ofTask task: UnsafeRawPointer, hiding modules: Set<String> = [], limit: Int = 256) {
    return nil
  }

  package var suspendedIn: String? { switch none {} }
  package var frames: [AsyncFrame] { switch none {} }
}

/// One async function of a suspended task, on Linux.
package struct AsyncFrame: Sendable, Hashable {
  private let none: Never

  package var function: String { switch none {} }
  package var fullName: String { switch none {} }
  package var file: String? { switch none {} }
  package var line: Int? { switch none {} }
  package var isLibrary: Bool { switch none {} }
  package var isImplicitClosure: Bool { switch none {} }
  package var declaration: CodeLocation? { switch none {} }
}
