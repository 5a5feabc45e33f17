import Foundation
import LeakCheck
import Synchronization
import TestSupport
import Testing

/// Tests that only run in a process of their own: they fail on purpose, and LeakCheck records the
/// heap, of which a process has one.
enum Fixture {
  /// Whether this process is such a process.
  static let isOn = variable("LEAKCHECK_FIXTURES") != nil

  /// Whether everything is done as often, and as long, as it ever is: with `MEMLAB_THOROUGH=1`.
  static let isThorough = Slow.isOn

  /// How often fixtures do what does not leak, to catch what is only seldom wrong.
  static let rounds = Int(variable("LEAKCHECK_ROUNDS") ?? "") ?? (isThorough ? 20 : 8)
  /// The same for what takes long.
  static let fewRounds = rounds / 10 + 1

  /// How long a check waits for what leaks, where a leftover in memory looks like a way to it.
  static let limit = Duration.seconds(isThorough ? 5 : 2)

  /// A variable of the environment.
  static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  /// Runs fixtures by name, and says what they printed.
  ///
  /// - Parameters:
  ///   - filter: a regular expression over names of tests, without their module.
  ///   - library: which library's tests are run.
  ///   - environment: variables to add.
  ///   - more: more arguments.
  ///   - limit: when to kill them.
  static func run(
    _ filter: String, library: String = "swift-testing", environment: [String: String?] = [:],
    arguments more: [String] = [], limit: Duration = .seconds(300)
  ) async throws -> FixtureOutput {
    let program = Program(URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath())
    let name = "LeakCheckTests.\(filter)"
    let arguments =
      library == "xctest" ? [name] : ["--testing-library", library, "--filter", name] + more
    let result = try await program.runBesideTests(
      arguments,
      environment: ["LEAKCHECK_FIXTURES": "1", "NO_COLOR": "1"].merging(environment) { $1 },
      limit: limit)
    return FixtureOutput(result)
  }

  private static let runs = Mutex<[String: Task<FixtureOutput, any Error>]>([:])

  /// The one run of a suite of fixtures that several tests look at.
  static func run(of suite: String) -> Task<FixtureOutput, any Error> {
    runs.withLock { runs in
      let output = runs[suite] ?? Task { try await run(suite) }
      runs[suite] = output
      return output
    }
  }
}

/// Begins a run of fixtures before any test runs: most of it is waiting, and where tests are many, the
/// turn of those that look at it comes late.
struct Beginning: SuiteTrait {
  let suite: String
  func prepare(for test: Test) { if !Fixture.isOn { _ = Fixture.run(of: suite) } }
}

extension Trait where Self == Beginning {
  /// Begins the run of ``Fixture/run(of:)``.
  static func beginning(_ suite: String) -> Self { Beginning(suite: suite) }
}

extension Fixture {
  /// Tests by their names, `leak()`, with who must be named.
  ///
  /// - Parameter holders: who must be named, each with the names of tests.
  static func tests(by holders: [String: String]) -> [String: String] {
    let tests = holders.flatMap { holder, tests in
      tests.split(separator: " ").map { ("\($0)()", holder) }
    }
    return Dictionary(uniqueKeysWithValues: tests)
  }
}

/// Expects a body to leave nothing behind, time after time.
func expectClean<Result>(
  rounds: Int = Fixture.rounds, within limit: Duration = .seconds(5), wholeProcess: Bool = false,
  isolation: isolated (any Actor)? = #isolation, line: Int = #line, filePath: String = #filePath,
  _ body: () async throws -> Result
) async rethrows {
  for _ in 0..<rounds {
    try await expectNoLeaks(
      within: limit, wholeProcess: wholeProcess, filePath: filePath, line: line, body)
  }
}

/// Runs a test time after time, and expects it to leave nothing behind.
struct CleanTrait: TestTrait, TestScoping {
  /// How often.
  let rounds: Int

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws { try await expectClean(rounds: rounds, line: test.sourceLocation.line, function) }
}

extension Trait where Self == CleanTrait {
  /// The test leaves nothing behind, however often it runs.
  static func clean(rounds: Int = Fixture.rounds) -> Self { CleanTrait(rounds: rounds) }
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

  /// Expects that all tests passed, and that there were so many in the suite.
  func expectPassed(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    let words = "with \(count) \(count == 1 ? "test" : "tests") in 1 suite passed"
    #expect(exitCode == 0 && text.contains(words), "\(text)", sourceLocation: sourceLocation)
  }

  /// Expects some words in what was printed.
  func expect(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    for words in words { #expect(text.contains(words), "\(text)", sourceLocation: sourceLocation) }
  }

  /// Expects that an issue of a test names a holder; nil fails, for nobody has said which.
  func expect(_ holder: String?, namedBy test: String) throws {
    let (issues, holder) = (issues(of: test), try #require(holder))
    #expect(issues.contains { $0.contains(holder) }, "\(issues)")
  }

  /// The texts of the issues of one test.
  func issues(of test: String) -> [String] {
    var (issues, isInside) = ([String](), false)
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
