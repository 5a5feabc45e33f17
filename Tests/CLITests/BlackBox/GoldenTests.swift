import Foundation
import MemlabKit
import MemlabScenarios
import Synchronization
import TestSupport
import Testing

@Suite("What memlab prints") struct GoldenTests {
  // Optimised code has other closures, and so other chains, where many objects hold each other; and
  // where a function is folded into its caller, it does not wait by itself. The counts agree, as
  // 'check' shows.
  private static let comparable = Recording.chosen(of: Catalog.scenarios.map(\.id)).filter { id in
    #if DEBUG
      OtherSwift.canRun([id])
    #else
      ![
        "reactor-dropped-connection", "reactor-mutate-self", "weak-self-run-forever",
        "polling-weak-self", "abandoned-continuation", "group-results", "task-local-copy",
        "work-outlives-owner",
      ].contains(id)
    #endif
  }

  @Test("is as recorded, for every scenario", arguments: comparable)
  func scenario(id: String) throws {
    let run = try FirstRuns.text(of: id)
    try #require(run.exitCode == 0, "\(run.stdout)\(run.stderr)")
    try Golden.check("run-\(id)", run.stdout)
  }

  private static let helps: [(String, [String])] = [
    "run", "list", "check", "graph", "exercise", "show", "hint", "matrix", "lesson", "walk",
    "compare", "doctor", "completions", "report", "film", "cut", "hunt", "beliefs",
    "inventory", "answers", "site", "watch", "top", "snapshot", "diff", "why", "baseline",
  ].map { ("help-\($0)", ["help", $0]) }

  private static let others: [(String, [String])] = [
    ("help", ["--help"]), ("show-strong-self", ["show", "strong-self"]),
    ("show-weak-assign", ["show", "weak-assign"]),
    ("show-color", ["show", "weak-map-table", "--color", "always"]),
    ("hint", ["hint", "strong-self"]), ("compare", ["compare", "strong-self", "deinit-finish"]),
    ("compare-color", ["compare", "sink-strong-self", "sink-weak-self", "--color", "always"]),
    ("color-strong-self", ["strong-self", "--ending", "cancel", "--color", "always"]),
  ]

  @Test("is as recorded, for everything else", arguments: helps + others)
  func other(name: String, words: [String]) throws {
    try Golden.check(name, try MemlabBinary.run(words).stdout)
  }

  @Test(
    "is as recorded, for what is told of the heap", .needsHeap,
    arguments: [
      ("exercise-01", ["exercise", "01"]),
      // How many thumbnails the other ending leaves depends on which addresses are used again.
      ("exercise-05", ["exercise", "05", "--ending", "drop"]),
      ("graph-mermaid", ["graph", "strong-self"]),
      ("graph-dot", ["graph", "sink-strong-self", "--format", "dot"]),
      ("graph-text", ["graph", "weak-self-guard", "--format", "text"]),
      ("graph-text-branch", ["graph", "strong-map-table", "--format", "text"]),
      ("graph-step", ["graph", "strong-self", "--step", "3", "--format", "text"]),
      ("graph-clean", ["graph", "deinit-finish"]),
      ("inventory-before", ["inventory", "before"]), ("inventory-after", ["inventory", "after"]),
    ])
  func heap(name: String, words: [String]) throws { try other(name: name, words: words) }

  @Test(
    "is as recorded, for all the scenarios that were there when it was recorded",
    arguments: [
      ("overview", []), ("list", ["list"]), ("matrix", ["matrix"]),
      ("matrix-color", ["matrix", "stream", "--color", "always"]),
    ])
  func catalog(name: String, words: [String]) throws { try Self.compare(name, words) }

  // On the pool, one ending depends on the order of the jobs.
  @Test("is as recorded, for the check of all these scenarios", .needsVirtualTime)
  func check() throws { try Self.compare("check", ["check"]) }

  private static func compare(_ name: String, _ words: [String]) throws {
    let known = try KnownScenarios.ids.joined(separator: ",")
    try Golden.check(name, MemlabBinary.run([known] + words, of: "ChosenScenarios").stdout)
  }

  #if DEBUG
    // Optimised code keeps what an ending holds meanwhile on its stack, where no step sees it.
    @Test(
      "is as recorded, step by step",
      arguments: [
        (
          "walk-strong-self",
          ["walk", "strong-self", "--ending", "cancel", "--predict", "deinitialised=2,live=1"]
        ), ("walk-sink-strong-self", ["walk", "sink-strong-self"]),
        ("walk-struct-inout-race", ["walk", "struct-inout-race", "--ending", "shared"]),
        ("walk-color", ["walk", "on-termination", "--ending", "drop", "--color", "always"]),
      ])
    func walk(name: String, words: [String]) throws {
      try Golden.check(name, try MemlabBinary.run(words).stdout)
    }

    // What a leak costs is not the same where optimised code needs fewer closures.
    @Test("is as recorded, as JSON") func json() throws {
      let run = try MemlabBinary.run(["strong-self", "--format", "json"])
      try Golden.check("json-strong-self", run.stdout)
    }
  #endif

  @Test("fits into 80 columns", arguments: Catalog.scenarios.map(\.id))
  func width(id: String) throws {
    let lines = try FirstRuns.text(of: id).stdout.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 } == [])
    #expect(lines.filter { $0.hasSuffix(" ") } == [])
  }

  @Test(
    "is the same bytes every time", .needsVirtualTime,
    arguments: Slow.all(Catalog.scenarios.map(\.id), orEach: 8))
  func repetition(id: String) throws {
    let json = try FirstRuns.json(of: id)
    for _ in 0..<Self.repetitions {
      #expect(try MemlabBinary.run([id]) == FirstRuns.text(of: id))
      #expect(try MemlabBinary.run([id, "--format", "json"]) == json)
    }
  }

  // `make fuzz` looks longer.
  private static let repetitions =
    ProcessInfo.processInfo.environment["MEMLAB_FUZZ"] == nil ? 1 : 10
}

/// The scenarios that the texts about all of them were recorded with. A new one does not change those
/// texts: `CatalogOutputTests` has it appear.
private enum KnownScenarios {
  static var ids: [String] {
    get throws {
      let known = try Repository.text("Tests/CLITests/Golden/list.txt").newlineSeparated
        .filter { $0.hasPrefix("    ") }
        .compactMap { $0.split(separator: " ").first.map(String.init) }
      return Catalog.scenarios.map(\.id).filter(known.contains)
    }
  }
}

/// The first run of each scenario, which several tests look at; `GoldenTests` runs it once more, and
/// expects the same bytes.
enum FirstRuns {
  private static let results = Mutex<[[String]: ProgramResult]>([:])

  /// What `memlab <id>` does.
  static func text(of id: String) throws -> ProgramResult { try run([id]) }

  /// What `memlab <id> --format json` does.
  static func json(of id: String) throws -> ProgramResult { try run([id, "--format", "json"]) }

  /// What a command prints in so many columns.
  static func run(_ words: [String], columns: Int? = nil) throws -> ProgramResult {
    let key = words + [columns.map(String.init) ?? ""]
    if let run = results.withLock({ $0[key] }) { return run }
    let run = try MemlabBinary.run(words, environment: columns.map { ["COLUMNS": "\($0)"] } ?? [:])
    return results.withLock { results in
      if let earlier = results[key] { return earlier }
      results[key] = run
      return run
    }
  }
}
