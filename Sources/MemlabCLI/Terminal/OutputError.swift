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

  /// The file that was to be written; nil for the standard output.
  package let file: String?

  /// Makes an error from the operating system's `errno`.
  package init(code: Int32, file: String? = nil) {
    self.code = code
    self.file = file
  }

  /// The code the program ends with.
  package var exitCode: ExitCode { .cannotWrite }

  /// The text for standard error, ending in a line break.
  package var description: String {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    let output = file.map { "The file \(quoted($0))" } ?? "The output"
    return "Error: \(output) could not be written: \(reason).\n"
  }
}
