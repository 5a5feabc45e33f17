import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Where a leaked task was created", .needsHeap) struct OriginTests {
  @Test(
    "is the line of its closure, as long as there is debug information",
    arguments: Slow.all([["-O", "-g"], ["-Onone"], ["-Onone", "-g"], ["-O"]], orEach: 2))
  func line(options: [String]) async throws {
    let marks = ["// task"] + (options[0] == "-Onone" ? ["// task, in debug builds"] : [])
    let expected = options.contains("-g") ? Self.lines(endingIn: marks) : []
    let report = try await Self.report(options)
    #expect(report.lines.sorted() == expected, "\(report.text)")
    #expect(report.text.contains("created in Screen.init()"))
    #expect(report.text.contains("created in closure #1 in ofAsyncLet()"))
  }

  @Test(
    "moves with the code, and the fingerprint does not",
    arguments: Slow.all(["-O", "-Onone"], orEach: 2))
  func moved(optimization: String) async throws {
    let before = try await Self.report([optimization, "-g"])
    let after = try await LibraryReport(of: "\n\n\n" + Self.source, [optimization, "-g"])
    #expect(after.lines == before.lines.map { $0 + 3 })
    #expect(after.fingerprints == before.fingerprints)
    #expect(Set(before.fingerprints).count == 11)
  }

  // Of each way to compile it, once.
  private static let reports = Mutex<[[String]: Task<LibraryReport, any Error>]>([:])

  private static func report(_ options: [String]) async throws -> LibraryReport {
    try await reports.withLock { reports in
      let report = reports[options] ?? Task { try await LibraryReport(of: source, options) }
      reports[options] = report
      return report
    }.value
  }

  private static let source =
    (try? String(
      contentsOf: Repository.url("Tests/Fixtures/TaskOrigins/Screen.swift"), encoding: .utf8)) ?? ""

  private static func lines(endingIn marks: [String]) -> [Int] {
    let lines = source.newlineSeparated
    return lines.indices.filter { line in marks.contains { lines[line].hasSuffix("  " + $0) } }
      .map { $0 + 1 }
  }
}

/// What a check says of a library that leaks.
private struct LibraryReport {
  let text: String
  /// The lines that tasks are said to be created at, in the order of the tasks.
  let lines: [Int]
  let fingerprints: [String]

  /// Compiles a file into a library, and runs it in a check.
  init(of source: String, _ options: [String]) async throws {
    let folder = try Scratch.folder()
    let file = folder.appending(path: "Screen.swift")
    let library = folder.appending(path: "libScreens.so")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let result = try Program(URL(fileURLWithPath: "/usr/bin/env")).run(
      ["swiftc", "-parse-as-library", "-emit-library", "-module-name", "Screens"] + options
        + [file.path, "-o", library.path])
    try #require(result.exitCode == 0, "\(result.stderr)")
    let output = try await Fixture.run(
      "LibraryFixtures", environment: ["LEAKCHECK_TEST_LIBRARY": library.path])
    text = output.text
    lines = text.matches(of: /\n +created in .* at Screen\.swift:(\d+)\n/).compactMap { Int($0.1) }
    fingerprints = text.matches(of: /fingerprint (\w+)/).map { String($0.1) }
  }
}
