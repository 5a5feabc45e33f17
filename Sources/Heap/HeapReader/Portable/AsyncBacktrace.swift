import MemlabHeapModel

/// Where a suspended task waits. This configuration does not read it.
package struct AsyncBacktrace: Sendable {
  private let none: Never

  /// Nil, whatever the task.
  package init?(ofTask task: UnsafeRawPointer, hiding modules: Set<String> = [], limit: Int = 256) {
    return nil
  }

  /// What the task waits in.
  package var suspendedIn: String? { switch none {} }
  /// The functions that wait.
  package var frames: [AsyncFrame] { switch none {} }
}

/// One async function of a suspended task, on Linux.
package struct AsyncFrame: Sendable, Hashable {
  private let none: Never

  /// The short name.
  package var function: String { switch none {} }
  /// The whole name.
  package var fullName: String { switch none {} }
  /// The source file.
  package var file: String? { switch none {} }
  /// The line.
  package var line: Int? { switch none {} }
  /// Whether it is a library's.
  package var isLibrary: Bool { switch none {} }
  /// Whether its line is one of a package that the program depends on.
  var isLineOfDependency: Bool { switch none {} }
  /// Whether it is written in such a package.
  package var isOfDependency: Bool { switch none {} }
  /// Whether the compiler has put a closure around it.
  package var isImplicitClosure: Bool { switch none {} }
  /// Where it is written.
  package var declaration: CodeLocation? { switch none {} }
}
