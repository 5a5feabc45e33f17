/// A line of a source file.
public struct SourcePlace: Sendable, Equatable {
  /// The path from the package's root: `Sources/Scenarios/…`.
  public let file: String
  /// The line, from 1.
  public let line: Int

  /// A place; what stands before the package's `Sources` or `Tests` is cut from its path.
  public init(path: String, line: Int) {
    let root = path.utf8.split(separator: UInt8(ascii: "/")).last {
      $0.elementsEqual("Sources".utf8) || $0.elementsEqual("Tests".utf8)
    }
    file = String(path[(root?.startIndex ?? path.startIndex)...])
    self.line = line
  }
}
