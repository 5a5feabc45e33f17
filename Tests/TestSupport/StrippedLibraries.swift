import MemlabHeapModel
import MemlabHeapReader

/// What is otherwise where a distribution has stripped Swift's libraries, as Debian has: nothing says
/// which of their functions a task waits in.
package enum StrippedLibraries {
  /// Whether they are stripped here. Where the heap is not read, nobody asks for their names.
  package static let isOn = !RuntimeFacts.namesLibraryFunctions

  /// What a task is said to wait in that waits in a stream's `next()`.
  ///
  /// - Parameter place: what it is where the libraries have their names.
  package static func stream(_ place: String) -> String { isOn ? "a continuation" : place }

  /// Lines without the names of libraries' functions, and without the frames that only they have.
  static func without(_ lines: [String]) -> [String] {
    guard isOn else { return lines }
    return lines.map { line in
      line.replacing(#/Async(?:Throwing)?Stream\.Iterator\.next\(\)|a continuation/#, with: "…")
        .replacing(#/(closure #\d in )+_installTracking\(\)|a box of Obs\w+|context$/#, with: "…")
        // A frame less is an indentation less.
        .replacing(#/^ +/#, with: "")
    }.filter { $0 != "└─ next()" }
  }
}
