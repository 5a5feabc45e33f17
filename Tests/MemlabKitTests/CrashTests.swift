import TestSupport
import Testing

@Suite("A step that crashes")
struct CrashTests {
  private static let signals: [String: Int32] = [
    "index": 4, "task": 4, "thread": 4, "abort": 6, "stack": 11,
  ]

  @Test(
    "is named before Swift's backtrace, and the signal ends memlab as ever",
    arguments: signals.keys.sorted())
  func single(ending: String) throws {
    let run = try HardCases.run(
      ["crash", "--ending", ending], environment: ["SWIFT_BACKTRACE": "enable=yes"])
    #expect(run.exitCode == 128 + (Self.signals[ending] ?? 0))
    let lines = run.stderr.newlineSeparated
    let note = lines.firstIndex(of: Self.sentence(ending))
    let trace = lines.firstIndex { $0.hasPrefix("*** Program crashed: ") }
    #expect(note.flatMap { note in trace.map { note < $0 } } == true, "\(run.stderr)")
    #expect(lines.contains { $0.hasPrefix("Backtrace took ") }, "\(run.stderr)")
  }

  @Test("is named where no backtrace is wanted", arguments: signals.keys.sorted())
  func alone(ending: String) throws {
    let run = try HardCases.run(
      ["crash", "--ending", ending], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.exitCode == 128 + (Self.signals[ending] ?? 0))
    #expect(run.stderr.hasSuffix("\(Self.sentence(ending))\n"), "\(run.stderr)")
  }

  @Test(
    "is named by every command that runs it",
    arguments: [
      ["crash"], ["check", "--ending", "index"], ["matrix"], ["walk", "crash", "--all"],
      ["graph", "crash", "--ending", "index"], ["report", "crash", "--html", "-"],
      ["crash", "--ending", "index", "--schedules", "2"],
      ["crash", "--ending", "index", "--scheduler", "pool"],
    ])
  func everywhere(words: [String]) throws {
    // The scenario that comes to no rest stands before it, and is not what this is about.
    let run = try HardCases.run(
      ["crashing"] + words, environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.exitCode == 132)
    #expect(run.stderr.newlineSeparated.contains(Self.sentence("index")), "\(run.stderr)")
  }

  @Test("leaves the document of a check whole, with what was found before")
  func check() throws {
    let run = try HardCases.run("check", "crash", "namesakes", "--format", "tap")
    #expect(run.exitCode == 132)
    let text = "crash, ending 'index', step 2: the code has crashed"
    for line in [
      "ok 3 - namesakes, ending holder", "not ok 5 - crash, ending index", "Bail out! \(text)",
      "ok 6 - crash, ending task # SKIP the check has stopped",
    ] {
      #expect(run.stdout.newlineSeparated.contains(line), "\(run.stdout)")
    }
  }

  @Test("stands in the table of a check, and is not among what was measured")
  func table() throws {
    let run = try HardCases.run(
      ["crashing", "check"], environment: ["SWIFT_BACKTRACE": "enable=no"])
    let lines = run.stdout.newlineSeparated
    let place = try #require(lines.firstIndex(of: "✗ crash     index     –        not measured"))
    #expect(
      lines[(place + 1)...] == [
        "    - crash, ending 'index', step 2: the code has crashed", "",
        "1 scenario, 2 endings: 1 as declared, 0 not, 1 not to be trusted; 4 skipped", "",
      ])
  }

  private static func sentence(_ ending: String) -> String {
    "Error: crash, ending '\(ending)', step 2: the code has crashed"
  }
}
