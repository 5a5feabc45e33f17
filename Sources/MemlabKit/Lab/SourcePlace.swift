/// A line of a source file.
public struct SourcePlace: Sendable, Equatable {
  /// The path from the package's root: `Sources/Scenarios/…`.
  public let file: String
  /// The line, from 1.
  public let line: Int

  /// A place; what stands before the package's `Sources` or `Tests` is cut from its path.
  public init(path: String, line: Int) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let start = parts.lastIndex { $0 == "Sources" || $0 == "Tests" }
    file = parts[(start ?? parts.startIndex)...].joined(separator: "/")
    self.line = line
  }
}
