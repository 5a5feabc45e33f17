package import MemlabHeapModel
import MemlabHeapReader

/// One thing that memlab depends on, and its state on this machine.
package struct Diagnosis: Sendable {
  /// What it is, in one or two words.
  package let name: String
  /// Whether memlab can rely on it; nil where nothing depends on it.
  package let isSound: Bool?
  /// Its state.
  package let text: String

  /// A diagnosis.
  ///
  /// - Parameters:
  ///   - name: what it is.
  ///   - isSound: whether memlab can rely on it; nil where nothing depends on it.
  ///   - text: its state.
  package init(_ name: String, isSound: Bool? = nil, _ text: String) {
    (self.name, self.isSound, self.text) = (name, isSound, text)
  }

  /// The Swift that memlab was compiled by, the runtime that it runs on, and what reading the heap
  /// depends on, in a configuration that does.
  package static var runtime: [Diagnosis] {
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

/// What `memlab doctor` says of the table that the heap is read by.
package struct RuntimeTableReport: Sendable {
  /// The table and what was found; nil where nothing could be checked.
  package let check: RuntimeTableCheck?
  /// The table as one line, and what frames lie in where that was seen.
  package let summary: [Diagnosis]

  /// A table that was not checked, for a reason that is a clause.
  package init(unchecked reason: String) {
    check = nil
    summary = [Diagnosis("runtime table", "not checked: \(reason)")]
  }

  /// Checks every row.
  package init() {
    do {
      let check = try RuntimeTableCheck()
      self.check = check
      let wrong = check.rows.filter { $0.agrees == false }.map(\.name)
      let used = check.rows.filter(\.isUsed)
      let unchecked = used.filter { $0.agrees == nil }.map(\.name)
      let exception = ", except for those that nothing can be planted for: "
      let rest = unchecked.isEmpty ? "" : exception + unchecked.joined(separator: ", ")
      let text =
        wrong.isEmpty
        ? "\(used.count) rows for \(check.column), each read back as planted\(rest)"
        : "\(wrong.count) of \(check.rows.count) rows do not fit: \(wrong.joined(separator: ", "))"
      let frames = check.frames.map { Diagnosis("frames", $0.description) }
      summary =
        [Diagnosis("runtime table", isSound: wrong.isEmpty, text)] + (frames.map { [$0] } ?? [])
    } catch {
      check = nil
      summary = [Diagnosis("runtime table", "not checked: \(error)")]
    }
  }
}
