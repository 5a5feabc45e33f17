#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The output could not be written.
package struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The operating system's `errno`.
  package let code: Int32

  /// Makes an error from the operating system's `errno`.
  package init(code: Int32) { self.code = code }

  /// The code the program ends with.
  package var exitCode: ExitCode { .cannotWrite }

  /// The text for standard error, ending in a line break.
  package var description: String {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return "Error: The output could not be written: \(reason).\n"
  }
}
