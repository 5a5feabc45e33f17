import MemlabKit

/// How much time passes for a scenario, beside what it really takes.
enum VirtualTimeBench {
  private static let scenario = "broadcast-stream"
  private static let ending = "demo"

  /// The virtual time of document 002's demonstration, which sleeps between its messages, over the
  /// processor time that it takes.
  ///
  /// - Throws: `BenchError` when there is no such scenario or it takes no time, and what a trial
  ///   throws.
  static func ratio(_ session: Session, on scheduler: any Scheduler) throws -> BenchReport.Ratio {
    guard let ending = session.scenarios.ending(ending, of: scenario) else {
      throw BenchError("there is no ending '\(ending)' of '\(scenario)' to run")
    }
    var shown = Duration.zero
    let real = try best(of: 5) {
      // While the scheduler is the virtual one, this clock is its own.
      let start = ContinuousClock.now
      _ = try Trial(of: ending, on: scheduler).run()
      shown = ContinuousClock.now - start
    }
    guard shown > .zero else { throw BenchError("no virtual time passes in '\(scenario)'") }
    return .init(
      name: "time",
      meaning: "the time that passes in \(scenario), ending \(ending.name), over the time it takes",
      ratio: shown / real)
  }
}

extension [Scenario] {
  /// An ending of one of these scenarios, nil when there is none of these names.
  func ending(_ ending: String, of scenario: String) -> Ending? {
    first { $0.id == scenario }?.endings.first { $0.name == ending }
  }
}
