import Foundation
import TestSupport
import Testing

/// Tests that only run in a process of their own: they fail on purpose, and LeakCheck records the
/// heap, of which a process has one.
enum Fixture {
  /// Whether this process is such a process.
  static let isOn = variable("LEAKCHECK_FIXTURES") != nil

  /// A variable of the environment.
  static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  /// Runs fixtures by name, and says what they printed.
  ///
  /// - Parameters:
  ///   - filter: a regular expression over names of tests.
  ///   - library: which library's tests are run.
  ///   - environment: variables to add.
  ///   - limit: when to kill them.
  static func run(
    _ filter: String, library: String = "swift-testing", environment: [String: String?] = [:],
    limit: Duration = .seconds(300)
  ) async throws -> FixtureOutput {
    let program = Program(URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath())
    let arguments =
      library == "xctest" ? [filter] : ["--testing-library", library, "--filter", filter]
    let result = try await program.runBesideTests(
      arguments,
      environment: ["LEAKCHECK_FIXTURES": "1", "NO_COLOR": "1"].merging(environment) { $1 },
      limit: limit)
    return FixtureOutput(result)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where Swift Testing has no warnings, and LeakCheck prints them.
  static var needsWarnings: Self {
    #if compiler(>=6.3)
      .enabled(if: true)
    #else
      .disabled("Swift Testing has warnings since Swift 6.3")
    #endif
  }
}

/// What a run of fixtures printed.
struct FixtureOutput {
  /// Everything, without colours.
  let text: String
  /// What the process ended with.
  let exitCode: Int32

  init(_ result: ProgramResult) {
    text = (result.stdout + result.stderr).replacing(/\u{1b}\[[0-9;]*m/, with: "")
    exitCode = result.exitCode
  }

  /// The names of the tests that failed, as functions: `leak(number:)`.
  var failed: Set<String> {
    Set(text.matches(of: /✘ Test (\S+) (?:with \d+ test cases )?failed after/).map { String($0.1) })
  }

  /// Expects that an issue of a test names a holder; nil fails, for nobody has said which.
  func expect(_ holder: String?, namedBy test: String) throws {
    let (issues, holder) = (issues(of: test), try #require(holder))
    #expect(issues.contains { $0.contains(holder) }, "\(issues)")
  }

  /// The texts of the issues of one test.
  func issues(of test: String) -> [String] {
    var issues: [String] = []
    var isInside = false
    for line in text.newlineSeparated {
      if line.hasPrefix("✘ Test \(test) recorded") || line.hasPrefix("⚠︎ Test \(test) recorded") {
        issues.append(line)
        isInside = true
      } else if isInside, line.hasPrefix("↳ ") || line.hasPrefix("  ") {
        issues[issues.count - 1] += "\n" + line
      } else {
        isInside = false
      }
    }
    return issues
  }
}
