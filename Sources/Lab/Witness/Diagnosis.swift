import MemlabHeapModel
import MemlabHeapReader
package import MemlabKit

extension RealHeap {
  /// The Swift that memlab was compiled by, the runtime that it runs on, and what reading the heap
  /// depends on, in a configuration that does.
  package static var diagnoses: [Diagnosis] {
    [
      Diagnosis("compiled by", "Swift \(compiler), \(optimization)"),
      Diagnosis("runtime", RuntimeFacts.version),
    ] + configuration
  }

  private static var configuration: [Diagnosis] {
    #if MEMLAB_PORTABLE
      [Diagnosis("configuration", "portable: the ledger counts; nobody says who holds what")]
    #else
      [
        Diagnosis("configuration", "whole: the ledger counts, and the heap says who holds what"),
        Diagnosis("core library", RuntimeFacts.coreLibrary ?? "part of the program"),
        Diagnosis(
          "task layout", isSound: RuntimeFacts.isTaskLayoutKnown,
          RuntimeFacts.taskLayout ?? "the concurrency library does not export it"),
        Diagnosis(
          "heap recorder", isSound: HeapRecording.isAvailable,
          HeapRecording.obstacle.map { "cannot record: \($0)" }
            ?? "records, at addresses of up to \(RuntimeFacts.addressBits) bits"),
        Diagnosis("symbols", RuntimeFacts.symbols.description),
        Diagnosis(
          "library names",
          RuntimeFacts.namesLibraryFunctions
            ? "what a task waits in has its name"
            : "Swift's libraries are stripped, so a task that waits in one may wait in 'a continuation'"
        ),
      ]
    #endif
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.2)
      "6.3, later than 6.3.1"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var optimization: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}
