import FoundationEssentials
import MemlabKit

/// A scenario measured in a process of its own, so that nothing that ran before can hold what is
/// left, and every page says what `memlab run` says.
enum FreshMeasurement {
  /// Runs all endings of a scenario.
  ///
  /// - Parameters:
  ///   - program: the file of this program.
  ///   - requiresHeap: whether nothing is to run without a second witness.
  /// - Throws: `MeasurementFailure` when the process comes to no report.
  static func of(
    _ scenario: Scenario, by program: String, on scheduler: SchedulerName, requiresHeap: Bool
  ) throws -> Report {
    let words = ["run", scenario.id, "--format", "json", "--scheduler", scheduler.rawValue]
    let child = try ChildProcess(program, words + (requiresHeap ? ["--require-heap"] : []))
    guard [ExitCode.success, .unexpected].contains(where: { $0.rawValue == child.code }) else {
      throw MeasurementFailure(scenario: scenario.id, code: child.code)
    }
    return try JSONDecoder().decode(Report.self, from: Data(child.output))
  }
}

/// A scenario whose process came to no report.
struct MeasurementFailure: Error, CustomStringConvertible {
  let scenario: String
  /// The code that the process ended with.
  let code: Int32

  var description: String {
    "'\(scenario)' was not measured: 'memlab run \(scenario)' ended with \(code)"
  }
}
