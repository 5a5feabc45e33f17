import MemlabHeapModel

/// What is otherwise where the heap is not read than in the texts of the tests, which were recorded
/// where it is: a sentence says so, and what only the heap tells is missing.
package enum WithoutHeap {
  /// Whether the heap is not read here.
  package static var isOn: Bool { !HeapRecording.isAvailable }

  /// The standard error without the note that the heap was not read.
  static func errors(_ text: String) -> String {
    guard isOn else { return text }
    return text.newlineSeparated.filter { !$0.hasPrefix("Note: the heap was not read") }
      .joined(separator: "\n")
  }

  /// Whether each line was recorded, in this order. Recorded lines may be missing, and a recorded
  /// line `…` stands for any number of them.
  package static func has(_ recorded: [String], theLines lines: [String]) -> Bool {
    // What was recorded elsewhere is shown without colours.
    let lines = withoutRemark(lines).map(plain)
    guard lines.contains(where: { $0 != "" }) else { return recorded.allSatisfy { $0 == "" } }
    var rest = recorded.map(plain)[...]
    for line in lines {
      let next = rest.firstIndex(of: line).map { $0 + 1 }
      let gap = rest.firstIndex { $0.trimmingPrefix(#/ +/#) == "…" }
      // Whatever can follow later can follow the earlier place too.
      guard let place = [next, gap].compactMap({ $0 }).min() else { return false }
      rest = rest[place...]
    }
    return true
  }

  private static func plain(_ line: String) -> String {
    line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
  }

  /// The lines of a report without the sentence that the heap was not read.
  package static func withoutRemark(_ lines: [String]) -> [String] {
    lines.filter { line in !remark.contains { line.contains($0) } }
  }

  // The sentence is wrapped.
  private static let remark = [
    "the heap was not read: this build cannot record it:",
    "configuration, and the heap is read on Linux only; memlab's",
    "Documentation/Install.md has a container", "recorded on Linux, for the heap is not read here:",
  ]
}
