import MemlabHeapModel
import MemlabPlatform
import Synchronization

/// What the tests of a process have left behind, for the end.
package final class LeakSummary: Sendable {
  /// That of this process.
  package static let shared = LeakSummary()

  private struct State {
    var tests: Set<String> = []
    var groups: [String: LeakGroup] = [:]
  }

  private let state = Mutex(State())

  /// Notes that a test is judged.
  func begin(_ test: String) { _ = state.withLock { $0.tests.insert(test) } }

  /// Notes the leaks that a report stands for.
  func add(_ report: LeakReport, of test: String) {
    let kind = report.fingerprint ?? report.text
    state.withLock { $0.groups[kind, default: LeakGroup(report)].add(report, of: test) }
  }

  /// How many tests were judged.
  package var testCount: Int { state.withLock { $0.tests.count } }

  /// What the baseline knows of tests that were judged, and what they do not leave behind any more, a
  /// sentence each. Who has cured a leak removes its line, so that it cannot come back.
  package var gone: [String] {
    let (tests, found) = state.withLock { ($0.tests, Set($0.groups.values.map(\.fingerprint))) }
    return Baseline.gone(from: tests, found)
  }

  /// Whether a leak is neither declared nor in the baseline.
  package var hasFailures: Bool { state.withLock { $0.groups.values.contains(where: \.isNew) } }

  /// The leaks, those of most tests first.
  var groups: [LeakGroup] {
    state.withLock { Array($0.groups.values) }.sorted {
      ($1.tests.count, $0.title, $0.fingerprint, $0.report)
        < ($0.tests.count, $1.title, $1.fingerprint, $1.report)
    }
  }

  /// The library that runs the tests of this process. Two may run in turn, each in a process of its own,
  /// so its name is added to the file's.
  package static let library =
    CommandLine.arguments.contains("swift-testing") ? "swift-testing" : "xctest"

  /// Writes the summary to where `LEAKCHECK_OUTPUT` says, in the format that `LEAKCHECK_FORMAT` names;
  /// to the standard error as text when they say nothing.
  ///
  /// - Parameter gone: what is known and ``gone``; nil while tests have not ended. What was found so far is
  ///   written only where `LEAKCHECK_OUTPUT` says, so that it is there when the run is stopped or crashes.
  package func write(gone: [String]? = nil) {
    let (path, isWhole) = (setting("LEAKCHECK_OUTPUT"), gone != nil)
    guard isWhole || path != nil else { return }
    let name = setting("LEAKCHECK_FORMAT") ?? "text"
    let format = SummaryFormat(rawValue: name)
    let summary = Summary(
      groups: groups, gone: gone ?? [], tests: testCount, library: Self.library, isWhole: isWhole)
    let text = (format ?? .text).text(of: summary)
    if format == nil, isWhole {
      Self.print("LEAKCHECK_FORMAT is \(name): it must be text, json, junit, github or sarif\n")
    }
    guard let path else { return Self.print(text) }
    do { try WholeFile(Self.path(path, of: Self.library)).write(text) } catch  where isWhole {
      Self.print("\(text)LeakCheck: \(error)")
    } catch {}
  }

  // `leaks.json` becomes `leaks-xctest.json`.
  private static func path(_ path: String, of library: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    let ending = name[(dot ?? name.endIndex)...]
    return path.dropLast(ending.count) + "-" + library + ending
  }

  /// Prints a text on the standard error; what a terminal would obey is shown.
  package static func print(_ text: String) {
    Array(text.shown(keeping: "\n\t").utf8).withUnsafeBytes {
      _ = CLibrary.writeAll(STDERR_FILENO, $0)
    }
  }
}

/// What a variable of the environment says; nil where it is not set, or empty.
func setting(_ name: String) -> String? {
  ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
}

/// Equal leaks of several tests, or why several tests could not be judged.
struct LeakGroup: Codable {
  /// What they have in common; empty where nothing is known to leak.
  let fingerprint: String
  /// What stays: `Clock is still alive`.
  let title: String
  /// What holds it, or where the task waits; empty where that is not known.
  let holder: String
  /// The file of the code that keeps it, or else of the test; from the folder of the package, where it
  /// lies below that. Nil where neither is known.
  let file: String?
  /// The line of it, from 1.
  let line: Int?
  /// Whether it is neither declared nor in the baseline.
  let isNew: Bool
  /// How many there were.
  private(set) var count = 0
  /// The tests that left them behind, each once.
  private(set) var tests: [String] = []
  /// The first one's report.
  let report: String

  /// Whether something is known to leak.
  var isLeak: Bool { !fingerprint.isEmpty }

  /// A group without a leak yet, with what such leaks have in common.
  init(_ report: LeakReport) {
    (fingerprint, title, holder) = (report.fingerprint ?? "", report.title, report.holder)
    (isNew, self.report) = (report.isFailure, report.text)
    file = report.location.map { SARIFLog.path(fromHere: $0.path).shown() }
    line = report.location?.line
  }

  /// Counts the leaks that a report on a test stands for.
  mutating func add(_ report: LeakReport, of test: String) {
    count += report.count
    let test = test.shown()
    if !tests.contains(test) { tests.append(test) }
  }
}

/// What holds the leaks of several fingerprints.
struct LeakHolder: Codable {
  /// The holder, as ``LeakGroup`` has it.
  let holder: String
  /// How many leaks it holds.
  let count: Int
  /// How many fingerprints these have.
  let ways: Int

  /// The holders that are known, that of most leaks first.
  static func all(of groups: [LeakGroup]) -> [LeakHolder] {
    let known = groups.filter { $0.isLeak && !$0.holder.isEmpty }
    return Dictionary(grouping: known, by: \.holder).map { holder, groups in
      LeakHolder(holder: holder, count: groups.reduce(0) { $0 + $1.count }, ways: groups.count)
    }.sorted { ($1.count, $0.holder) < ($0.count, $1.holder) }
  }
}
