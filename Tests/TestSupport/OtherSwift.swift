import MemlabKit

/// What is otherwise with another Swift than the one that the texts in the tests were recorded with.
///
/// With Swift 6.2, the pool is the default scheduler. Where a distribution has stripped Swift's
/// libraries, as Debian has, nothing says which of their functions a task waits in.
public enum OtherSwift {
  /// Whether this is such a Swift.
  public static var isOn: Bool { VirtualScheduler.obstacle != nil }

  /// The lines of a text without what differs, where it does; as they are with the Swift of the
  /// record.
  public static func common(_ lines: [String]) -> [String] {
    guard isOn else { return lines }
    return lines.map { line in
      line.replacing(#/Async(?:Throwing)?Stream\.Iterator\.next\(\)|a continuation/#, with: "…")
        .replacing(#/(?:virtual|pool)\)/#, with: "…)")
        .replacing(#/^ +/#, with: "")
    }.filter { $0 != "└─ next()" }
  }

  /// The same for a text.
  public static func common(_ text: String) -> String {
    isOn ? common(text.newlineSeparated).joined(separator: "\n") : text
  }

  /// Whether a command of memlab's can be run: `--schedules` cannot.
  public static func canRun(_ words: [String]) -> Bool {
    !isOn || !words.contains { $0.hasPrefix("--schedules") }
  }

  /// The rows of the runtime's table for which nothing can be planted: Swift 6.2 names neither the
  /// threads of libdispatch nor the tasks of Swift Testing, and a stripped library has no types.
  public static let uncheckedRows: Set =
    isOn
    ? [
      "libraries.workerThread", "testing.taskPrefix", "testing.typePrefix", "testing.graph",
    ] : []
}
