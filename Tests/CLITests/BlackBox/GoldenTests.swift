import MemlabKit
import Scenarios
import TestSupport
import Testing

@Suite("What memlab prints")
struct GoldenTests {
  // Optimised code has other closures, and so other chains, where many objects hold each other; and
  // where a function is folded into its caller, another line waits. The counts agree, as 'check'
  // shows.
  private static let comparable = Catalog.scenarios.map(\.id).filter { id in
    #if DEBUG
      true
    #else
      ![
        "reactor-dropped-connection", "reactor-mutate-self", "weak-self-run-forever",
        "polling-weak-self", "abandoned-continuation",
      ].contains(id)
    #endif
  }

  @Test("is as recorded, for every scenario", arguments: comparable)
  func scenario(id: String) throws {
    try Golden.check("run-\(id)", try MemlabBinary.run([id]).stdout)
  }

  @Test(
    "is as recorded, for everything else",
    arguments: [
      ("overview", []),
      ("help", ["--help"]),
      ("help-run", ["help", "run"]),
      ("help-list", ["help", "list"]),
      ("help-check", ["help", "check"]),
      ("help-graph", ["help", "graph"]),
      ("help-exercise", ["help", "exercise"]),
      ("exercise-01", ["exercise", "01"]),
      ("exercise-05", ["exercise", "05"]),
      ("help-show", ["help", "show"]),
      ("help-hint", ["help", "hint"]),
      ("help-matrix", ["help", "matrix"]),
      ("help-lesson", ["help", "lesson"]),
      ("help-walk", ["help", "walk"]),
      ("help-compare", ["help", "compare"]),
      ("show-strong-self", ["show", "strong-self"]),
      ("show-weak-assign", ["show", "weak-assign"]),
      ("show-color", ["show", "weak-map-table", "--color", "always"]),
      ("hint", ["hint", "strong-self"]),
      ("matrix", ["matrix"]),
      ("matrix-color", ["matrix", "stream", "--color", "always"]),
      ("compare", ["compare", "strong-self", "deinit-finish"]),
      ("compare-color", ["compare", "sink-strong-self", "sink-weak-self", "--color", "always"]),
      ("help-doctor", ["help", "doctor"]),
      ("help-completions", ["help", "completions"]),
      ("help-report", ["help", "report"]),
      ("help-bench", ["help", "bench"]),
      ("list", ["list"]),
      ("check", ["check"]),
      ("graph-mermaid", ["graph", "strong-self"]),
      ("graph-dot", ["graph", "sink-strong-self", "--format", "dot"]),
      ("graph-text", ["graph", "weak-self-guard", "--format", "text"]),
      ("graph-text-branch", ["graph", "strong-map-table", "--format", "text"]),
      ("graph-clean", ["graph", "deinit-finish"]),
      ("color-strong-self", ["strong-self", "--ending", "cancel", "--color", "always"]),
    ])
  func other(name: String, words: [String]) throws {
    try Golden.check(name, try MemlabBinary.run(words).stdout)
  }

  #if DEBUG
    // Optimised code keeps what an ending holds meanwhile on its stack, where no step sees it.
    @Test(
      "is as recorded, step by step",
      arguments: [
        (
          "walk-strong-self",
          ["walk", "strong-self", "--ending", "cancel", "--predict", "deinitialised=2,live=1"]
        ),
        ("walk-sink-strong-self", ["walk", "sink-strong-self"]),
        ("walk-struct-inout-race", ["walk", "struct-inout-race", "--ending", "shared"]),
        ("walk-color", ["walk", "on-termination", "--ending", "drop", "--color", "always"]),
      ])
    func walk(name: String, words: [String]) throws {
      try Golden.check(name, try MemlabBinary.run(words).stdout)
    }

    // What a leak costs is not the same where optimised code needs fewer closures.
    @Test("is as recorded, as JSON")
    func json() throws {
      let run = try MemlabBinary.run(["strong-self", "--format", "json"])
      try Golden.check("json-strong-self", run.stdout)
    }
  #endif

  @Test("fits into 80 columns", arguments: Catalog.scenarios.map(\.id))
  func width(id: String) throws {
    let lines = try MemlabBinary.run([id]).stdout.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 } == [])
    #expect(lines.filter { $0.hasSuffix(" ") } == [])
  }

  @Test("is the same bytes every time", arguments: Catalog.scenarios.map(\.id))
  func repetition(id: String) throws {
    for format in ["text", "json"] {
      let first = try MemlabBinary.run([id, "--format", format])
      for _ in 0..<10 {
        #expect(try MemlabBinary.run([id, "--format", format]) == first)
      }
    }
  }
}
