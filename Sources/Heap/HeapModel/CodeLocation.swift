/// A line of a source file.
package struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
  /// The file: its name alone, its module and name as `#fileID` has them, or its path.
  package let file: String
  /// The line, from 1.
  package let line: Int

  /// A line of a file.
  package init(file: String, line: Int) {
    (self.file, self.line) = (file, line)
  }

  /// A line of a file in a package.
  ///
  /// - Parameter path: as `#filePath` has it; what is before the package's `Sources` or `Tests` is
  ///   cut off, so that it is the same wherever the package is built.
  package init(pathInPackage path: String, line: Int) {
    let root = path.utf8.split(separator: UInt8(ascii: "/")).last {
      $0.elementsEqual("Sources".utf8) || $0.elementsEqual("Tests".utf8)
    }
    self.init(file: String(path[(root?.startIndex ?? path.startIndex)...]), line: line)
  }

  /// The file's name without its folder.
  package var fileName: String { file.split(separator: "/").last.map(String.init) ?? file }

  /// `File.swift:12`.
  package var description: String { "\(fileName):\(line)" }
}
