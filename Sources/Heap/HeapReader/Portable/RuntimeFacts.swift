import MemlabHeapModel
import MemlabRuntimeABI

/// What can be said of the Swift runtime of this process where its memory is not read.
package enum RuntimeFacts {
  /// False: this is the portable configuration.
  package static let readsHeap = false
  /// Zero: no address is read.
  package static let addressBits = 0
  /// The version of Swift that the runtime is of, as far as what it exports tells.
  package static var version: String {
    RuntimeColumn.isBefore63 ? "Swift 6.2" : "Swift 6.3 or later"
  }
  /// Nobody asks.
  package static let symbols = ProgramSymbols.exported
  /// False: nobody asks.
  package static let namesLibraryFunctions = false
  /// Nil: nobody asks where the core library is.
  package static let coreLibrary: String? = nil
  /// Nil: nobody reads a task.
  package static let taskLayout: String? = nil
  /// False: nobody reads a task.
  package static let isTaskLayoutKnown = false
}
