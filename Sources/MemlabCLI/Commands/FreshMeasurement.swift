import FoundationEssentials
import MemlabKit

/// A scenario measured in a process of its own, so that nothing that ran before can hold what is
/// left, and every page says what `memlab run` says.
enum FreshMeasurement {
  /// Runs all endings of a scenario.
  ///
  /// - Parameter program: the file of this program.
  /// - Throws: `MeasurementFailure` when the process comes to no report.
  static func of(_ scenario: Scenario, by program: String, on scheduler: SchedulerName) throws
    -> Report
  {
    let child = try ChildProcess(
      program, ["run", scenario.id, "--format", "json", "--scheduler", scheduler.rawValue])
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
