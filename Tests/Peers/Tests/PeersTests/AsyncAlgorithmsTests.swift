import MemlabKit
import TestSupport
import Testing

@Suite("The broadcaster beside swift-async-algorithms") struct AsyncAlgorithmsTests {
  @Test("every relay measures what is declared of it") func check() throws {
    let run = try Peer.besideAsyncAlgorithms.run(["check"]).exits(0)
    #expect(run.stdout.hasSuffix("4 scenarios, 20 endings: 20 as declared, 0 not\n"))
  }

  @Test("share() delivers and lets go as the actor does, but where it is dropped or held up")
  func share() throws {
    let actor = try Peer.besideAsyncAlgorithms.report(of: "broadcast")
    let share = try Peer.besideAsyncAlgorithms.report(of: "share")
    let different = zip(actor.trials, share.trials).filter { $0.figures != $1.figures }
    #expect(different.map(\.0.ending) == ["drop", "slow"])
  }

  @Test("AsyncChannel shares out as one AsyncStream does, but where one is cancelled")
  func channel() throws {
    let stream = try Peer.besideAsyncAlgorithms.report(of: "stream")
    let channel = try Peer.besideAsyncAlgorithms.report(of: "channel")
    let different = zip(stream.trials, channel.trials).filter { $0.figures != $1.figures }
    #expect(different.map(\.0.ending) == ["cancel"])
  }

  @Test("lesson 03's table is what is measured") func lesson() throws {
    let reports = try LessonTable.columns.map {
      try Peer.besideAsyncAlgorithms.report(of: $0.scenario)
    }
    let table = LessonTable.text(of: reports)
    let lesson = try Memlab.text("Lessons/03-one-stream-many-consumers/README.md")
    let isTold = lesson.contains("\n\(table)\n")
    #expect(isTold, "put this into lesson 03:\n\(table)")
  }
}

extension TrialReport {
  /// All counts but that of the relay, whose type has another name in each scenario.
  fileprivate var figures: [String] {
    objects.dropFirst().map { "\($0)" } + tasks.map { "\($0)" }
      + metrics.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } + [verdict.rawValue]
  }
}

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
    let lost = (trial.objects.first { $0.type == "Message" }?.created ?? 0) - metric("union")
    return "A \(metric("receivedByA")), B \(metric("receivedByB"))"
      + (lost > 0 ? "; \(lost) lost" : "")
      + (trial.metrics["receivedByAMeanwhile"].map { "; A \($0) before B began" } ?? "")
      + (trial.liveTasks > 0 ? "; both wait forever" : "")
  }
}
