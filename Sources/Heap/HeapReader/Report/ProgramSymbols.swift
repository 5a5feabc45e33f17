import MemlabHeapModel

/// What the file of a program tells of its functions, and so what a chain can name.
package enum ProgramSymbols: Sendable {
  /// Their names, and the lines that they are written in.
  case functionsAndLines
  /// Their names alone.
  case functions
  /// Only the names that other programs may use: the file was stripped.
  case exported

  /// What there is, and what is missing in consequence.
  package var description: String {
    switch self {
    case .functionsAndLines: "names and lines of functions"
    case .functions:
      "names of functions and no lines, so chains do not say where; build with -g for them"
    case .exported:
      "stripped, so closures and waiting functions have no names and no lines; use a file that "
        + "was not stripped"
    }
  }
}
