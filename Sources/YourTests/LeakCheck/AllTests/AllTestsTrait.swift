import Synchronization
package import Testing

/// Judges a test of somebody's that says nothing of leaks.
///
/// Of each test, all tasks are judged that were created while it ran, and all objects that hold each
/// other and that nothing else holds. Whose they are, only the time tells, so tests run one after
/// another.
package struct AllTestsTrait: TestTrait, TestScoping {
  private static let functions = Turns()
  private static let cases = Turns()

  /// The trait.
  package init() {}

  /// The trait itself, for a test and for each of its cases. A time limit begins with a case, so a test
  /// waits for its turn before.
  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

  /// For a test: waits until no other one runs. For a case: runs it, and reports what it leaves behind.
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let turns = testCase == nil ? Self.functions : Self.cases
    await turns.begin()
    defer { turns.end() }
    guard testCase != nil else { return try await function() }
    let place = test.sourceLocation
    try await Self.check(
      Self.name(of: test), at: place, report: { $0.recordInTest(at: place) }, function)
  }

  /// What the summary calls a test: its module, its suites and its function.
  package static func name(of test: Test) -> String {
    let place = test.sourceLocation
    // The end of an id tells tests of one name apart by where they stand.
    let end = "/\(place.fileName):\(place.line):\(place.column)"
    let id = "\(test.id)"
    return (id.hasSuffix(end) ? String(id.dropLast(end.count)) : id).replacing("/", with: ".")
  }

  /// Runs a test that says nothing of leaks, and notes what it leaves behind in the summary.
  ///
  /// - Parameters:
  ///   - name: what the summary calls the test.
  ///   - report: is told of leaks that are alike once.
  /// - Throws: what the test throws.
  package static func check(
    _ name: String, at place: SourceLocation, report: @escaping @Sendable (LeakReport) -> Void,
    _ body: () async throws -> Void
  ) async rethrows {
    LeakSummary.shared.begin(name)
    try await LeakChecker(tasks: .all, findingRings: true, within: .seconds(5), test: name).run(
      at: place,
      report: { leak in
        LeakSummary.shared.add(leak, of: name)
        LeakSummary.shared.write()
        report(leak)
      }, body)
  }
}

/// Lets one after another do something, in the order in which they came.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits for the turn, and takes it.
  func begin() async {
    await withUnsafeContinuation { continuation in
      let isFree = state.withLock { state in
        if state.isTaken { state.waiting.append(continuation) }
        defer { state.isTaken = true }
        return !state.isTaken
      }
      if isFree { continuation.resume() }
    }
  }

  /// Gives the turn to the next.
  func end() {
    state.withLock { state in
      state.isTaken = !state.waiting.isEmpty
      return state.isTaken ? state.waiting.removeFirst() : nil
    }?.resume()
  }
}
