import MemlabKit

/// The table of lesson 03, made from reports.
enum LessonTable {
  /// The columns: a scenario, and what the lesson calls it.
  static let columns: [(scenario: String, title: String)] = [
    ("broadcast", "the actor in `Patterns`"), ("share", "`share()`"),
    ("channel", "`AsyncChannel`"), ("stream", "one `AsyncStream`"),
  ]

  private static let rows: [(ending: String, title: String)] = [
    ("all", "twenty values, then the end"), ("cancel", "B is cancelled after ten of twenty"),
    ("drop", "one value, then the source is dropped"), ("late", "A and B come after the end"),
    ("slow", "B begins when twenty have been sent"),
  ]

  /// The table as Markdown.
  ///
  /// - Parameter reports: one for each column.
  static func text(of reports: [Report]) -> String {
    let head = "| |" + columns.map { " \($0.title) |" }.joined()
    let rule = "|---|" + columns.map { _ in "---|" }.joined()
    let lines = rows.map { row in
      "| \(row.title) |" + reports.map { " \(cell(row.ending, of: $0)) |" }.joined()
    }
    return ([head, rule] + lines).joined(separator: "\n")
  }

  private static func cell(_ ending: String, of report: Report) -> String {
    guard let trial = report.trials.first(where: { $0.ending == ending }) else { return "?" }
    func metric(_ name: Metric) -> Int { trial.metrics[name, default: 0] }
    let sent = trial.objects.first { $0.type == "Message" }?.created ?? 0
    let lost = sent - metric("union")
    return "A \(metric("receivedByA")), B \(metric("receivedByB"))"
      + (lost > 0 ? "; \(lost) lost" : "")
      + (trial.metrics["receivedByAMeanwhile"].map { "; A \($0) before B began" } ?? "")
      + (trial.liveTasks > 0 ? "; both wait forever" : "")
  }
}
