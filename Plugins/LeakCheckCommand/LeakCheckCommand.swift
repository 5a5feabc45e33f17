import Foundation
import PackagePlugin

/// `swift package leaks`: judges every test of a package, of Swift Testing and of XCTest, and prints one
/// summary of what they leave behind.
///
/// One of the package's test targets must depend on the product LeakCheckAll.
@main
struct LeakCheckCommand: CommandPlugin {
  private static let usage = """
    Run all tests, and tell what they leave behind.

    USAGE: swift package leaks [--baseline <file>] [--record] [--fingerprint <digits>]

      --baseline <file>        Leaks that are known, which are told and do not fail.
      --record                 Add the leaks that are new to the baseline.
      --fingerprint <digits>   Fail on this leak alone: for 'git bisect run'.
    """

  func performCommand(context: PluginContext, arguments: [String]) throws {
    var words = ArgumentExtractor(arguments)
    if words.extractFlag(named: "help") > 0 { return print(Self.usage) }
    let fingerprint = words.extractOption(named: "fingerprint").last
    let baseline = words.extractOption(named: "baseline").last
    let records = words.extractFlag(named: "record") > 0
    if let unknown = words.remainingArguments.first {
      return Diagnostics.error("Unknown option '\(unknown)'; see 'swift package leaks --help'.")
    }
    if records, baseline == nil { return Diagnostics.error("--record needs --baseline.") }
    if let fingerprint, fingerprint.wholeMatch(of: /[0-9a-f]{12}/) == nil {
      return Diagnostics.error(
        "'\(fingerprint)' is no fingerprint: that is twelve hexadecimal digits.")
    }
    let tests = try build(for: context)
    var environment = ProcessInfo.processInfo.environment
    environment["LEAKCHECK"] = "all"
    environment["LEAKCHECK_FORMAT"] = "json"
    if let baseline {
      let root = context.package.directoryURL
      environment["LEAKCHECK_BASELINE"] = URL(filePath: baseline, relativeTo: root).path
    }
    if records { environment["LEAKCHECK_RECORD"] = "1" }
    var summary = Summary()
    for (library, option) in [
      ("xctest", []), ("swift-testing", ["--testing-library", "swift-testing"]),
    ] {
      let folder = context.pluginWorkDirectoryURL
      let found = folder.appending(path: "leaks-\(library).json")
      try? FileManager.default.removeItem(at: found)
      environment["LEAKCHECK_OUTPUT"] = folder.appending(path: "leaks.json").path
      let output = folder.appending(path: "tests-\(library).txt")
      let code = try run(
        tests, option, environment, writing: output, in: context.package.directoryURL)
      let part = try (try? Data(contentsOf: found)).map {
        try JSONDecoder().decode(LibrarySummary.self, from: $0)
      }
      if let part { summary.add(part) }
      // Without tests of this library, nothing is written, and the run succeeds.
      if part.map({ !$0.isWhole }) ?? (code != 0 && code != 69) {
        summary.stopped.append("\(library), see \(output.path)")
      }
    }
    print(summary.text)
    for run in summary.stopped {
      Diagnostics.error("A run of tests has ended before its leaks were summed up: \(run)")
    }
    if summary.tests == 0, summary.stopped.isEmpty {
      Diagnostics.error(
        "No test was judged. Add the product LeakCheckAll to the dependencies of a test target.")
    }
    for sentence in summary.gone where fingerprint == nil { Diagnostics.error(sentence) }
    let failing = summary.leaks.filter { fingerprint.map($0.isLeak) ?? $0.isNew }
    if !failing.isEmpty {
      Diagnostics.error(
        fingerprint.map { "The leak \($0) is there." }
          ?? "\(failing.count) \(failing.count == 1 ? "leak is" : "leaks are") new.")
    }
  }

  private func build(for context: PluginContext) throws -> URL {
    let built = try packageManager.build(
      .all(includingTests: true), parameters: .init(configuration: .debug, logging: .concise))
    guard built.succeeded else { throw Failure("The tests do not compile.\n\(built.logText)") }
    // Below the folder of what is built, the plugin's own folder is plugins/NAME/outputs.
    var folder = context.pluginWorkDirectoryURL
    while folder.lastPathComponent != "plugins", folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
    }
    let name = "debug/\(context.package.displayName)PackageTests.xctest"
    let tests = folder.deletingLastPathComponent().appending(path: name)
    // On a Mac the tests are a bundle, which is a folder, and the heap is not read.
    if (try? tests.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true {
      throw Failure("'swift package leaks' works on Linux only. Run it in a container of Swift's.")
    }
    guard FileManager.default.isExecutableFile(atPath: tests.path) else {
      throw Failure("The package has no tests: there is no \(tests.path).")
    }
    return tests
  }

  private func run(
    _ program: URL, _ arguments: [String], _ environment: [String: String], writing output: URL,
    in folder: URL
  ) throws -> Int32 {
    try Data().write(to: output)
    let file = try FileHandle(forWritingTo: output)
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = folder
    process.standardOutput = file
    process.standardError = file
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// Why there is no summary.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// What LeakCheck writes for one library: `leakcheck.summary/1`.
struct LibrarySummary: Codable {
  struct Leak: Codable {
    let fingerprint, title, holder, report: String
    var count: Int
    var tests: [String]
    let isNew: Bool

    func isLeak(_ other: String) -> Bool { fingerprint == other }
  }

  let isWhole: Bool
  let tests, leaking, unjudged: Int
  let leaks: [Leak]
  let gone: [String]
}

/// What the tests of both libraries leave behind.
struct Summary {
  private(set) var tests = 0
  private(set) var leaks: [LibrarySummary.Leak] = []
  private(set) var gone: [String] = []
  var stopped: [String] = []
  private var leaking = 0
  private var unjudged = 0

  mutating func add(_ library: LibrarySummary) {
    (tests, leaking) = (tests + library.tests, leaking + library.leaking)
    unjudged += library.unjudged
    gone += library.gone
    for leak in library.leaks {
      guard let place = leaks.firstIndex(where: { $0.isLeak(leak.fingerprint) }) else {
        leaks.append(leak)
        continue
      }
      leaks[place].count += leak.count
      leaks[place].tests += leak.tests
    }
  }

  var text: String {
    let head = leaks.isEmpty ? "none of \(tests) tests leaks" : "\(leaking) of \(tests) tests leak"
    let judged = unjudged > 0 ? "; \(unjudged) could not be judged" : ""
    let parts = leaks.sorted { $1.tests.count < $0.tests.count }.map { leak in
      let lines = leak.report.split(separator: "\n", omittingEmptySubsequences: false)
      let more = leak.tests.count - 3
      let names =
        leak.tests.prefix(3).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      return "\n" + lines.joined(separator: "\n  ") + (leak.isNew ? "" : "\n  (known)")
        + "\n  in \(names)"
    }
    return (["LeakCheck: " + head + judged] + parts).joined(separator: "\n")
  }
}
