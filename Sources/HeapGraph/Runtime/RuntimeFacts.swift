import CProcessAccess
import RuntimeABI

/// What can be said of the Swift runtime of this process, for a report of what went wrong.
package enum RuntimeFacts {
  /// The layout of tasks that the concurrency library tells debuggers; nil where it does not.
  package static var taskLayout: String? {
    RuntimeSymbols.current.map {
      "layout version \($0.layoutVersion), tasks of \($0.taskSize) bytes"
    }
  }

  /// Whether that layout is one that the heap trace knows.
  package static var isTaskLayoutKnown: Bool { (try? HeapSelfCheck.checkExports()) != nil }

  /// The file of the Swift core library; nil where it is part of the program.
  package static var coreLibrary: String? {
    guard let address = loaded_symbol(abi.symbols.inCore) else { return nil }
    let segment = LoadedSegments.current().segment(at: UInt(bitPattern: address))
    return segment.map(\.file).flatMap { $0 == "/proc/self/exe" ? nil : $0 }
  }
}
