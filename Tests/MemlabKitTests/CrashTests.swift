import Foundation
import TestSupport
import Testing

@Suite("A step that crashes") struct CrashTests {
  /// What Swift traps with: `ud2` is SIGILL on x86-64, `brk` is SIGTRAP on arm64.
  #if arch(arm64)
    static let trap: Int32 = 5
    private static let trapInTwoLines = ["signal 5", "(Trace/breakpoint trap)"]
  #else
    static let trap: Int32 = 4
    private static let trapInTwoLines = ["signal 4 (Illegal", "instruction)"]
  #endif
  private static let signals: [String: Int32] = [
    "index": trap, "task": trap, "thread": trap, "abort": 6, "stack": 11,
  ]

  @Test(
    "is named before Swift's backtrace, and the signal ends memlab as ever",
    arguments: signals.keys.sorted())
  func single(ending: String) throws {
    let run = try HardCases.run(
      ["crash", "--ending", ending], environment: ["SWIFT_BACKTRACE": "enable=yes,symbolicate=off"])
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

  private static let commands: [([String], Int32)] = [
    (["crash"], 128 + trap), (["walk", "crash", "--all"], 70),
    (["graph", "crash", "--ending", "index"], 128 + trap),
    (["crash", "--ending", "index", "--scheduler", "pool"], 128 + trap),
    (["check", "--ending", "index"], 70), (["matrix"], 70),
    (["compare", "crash", "crash", "--ending", "index"], 70),
    (["report", "crash", "--html", "-"], 70),
  ]

  @Test("is named where many orders are run", .needsVirtualTime) func schedules() throws {
    let words = ["crash", "--ending", "index", "--schedules", "2"]
    try everywhere(words: words, code: 128 + Self.trap)
  }

  @Test("is named by every command that runs it", .needsIsolation, arguments: commands)
  func everywhere(words: [String], code: Int32) throws {
    // The scenario that never comes to rest stands before it, and is not what this is about.
    let run = try HardCases.run(["crashing"] + words, environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.exitCode == code)
    #expect(run.stderr.newlineSeparated.contains(Self.sentence("index")), "\(run.stderr)")
  }

  @Test("stops a check in one process, whose document is whole, with what was found before")
  func check() throws {
    let run = try HardCases.run("together", "check", "crash", "namesakes", "--format", "tap")
    #expect(run.exitCode == 128 + Self.trap)
    let text = "crash, ending 'index', step 2: the code has crashed"
    for line in [
      "ok 3 - namesakes, ending holder", "not ok 5 - crash, ending index", "Bail out! \(text)",
      "ok 6 - crash, ending task # SKIP the check has stopped",
    ] { #expect(run.stdout.newlineSeparated.contains(line), "\(run.stdout)") }
  }

  @Test("stands in the table of a check, and is not among what was measured", .needsIsolation)
  func table() throws {
    let run = try HardCases.run(
      ["crashing", "check"], environment: ["SWIFT_BACKTRACE": "enable=no"])
    let lines = run.stdout.newlineSeparated
    let place = try #require(lines.firstIndex(of: "✗ crash     index     –        not measured"))
    #expect(
      lines[(place + 1)...].prefix(3) == [
        "    - crash, ending 'index', step 2: the code has crashed with \(Self.trapInTwoLines[0])",
        "      \(Self.trapInTwoLines[1])", "✗ crash     task      –        not measured",
      ])
    let end = [
      "", "Not measured: crash index, crash task, crash thread, crash abort, crash stack",
      "1 scenario, 6 endings: 1 as declared, 0 not, 5 not measured", "",
    ]
    #expect(lines.suffix(end.count) == end[...])
  }

  private static func sentence(_ ending: String) -> String {
    "Error: crash, ending '\(ending)', step 2: the code has crashed"
  }
}

@Suite("A step that makes no progress") struct StandstillTests {
  // On the pool, the scheduler finds out before the watchdog does.
  @Test(
    "is named, and memlab ends with 70", .needsVirtualTime,
    arguments: ["semaphore", "loop", "action"])
  func ends(ending: String) async throws {
    let run = try await HardCases.runBesideTests(["standstill", "--ending", ending]).exits(70)
    #expect(run.stderr == Self.sentence(ending), "\(run.stdout)")
  }

  @Test("stops a check in one process, whose document is whole", .needsVirtualTime)
  func check() async throws {
    let run = try await HardCases.runBesideTests([
      "together", "check", "standstill", "--ending", "loop", "--format", "tap",
    ]).exits(70).says("Bail out!")
    #expect(run.stderr.hasSuffix(Self.sentence("loop")))
  }

  @Test("is found on the pool, even if it leaves no thread to look from") func pool() throws {
    let run = try HardCases.run("standstill", "--ending", "crowd", "--scheduler", "pool").exits(70)
    #expect(
      run.stderr.hasPrefix(
        "Error: standstill, ending 'crowd', step 2: a thread of the pool is not free"),
      "\(run.stderr)")
  }

  @Test("does not keep the endings after it from being measured", .needsVirtualTime, .needsTime)
  func restless() throws {
    try HardCases.run("restless", "check", "restless", "--format", "tap").exits(70).says(
      "\nnot ok 1 - restless, ending sleeper", "\nok 2 - restless, ending after")
  }

  @Test(
    "of an ending that throws is the one that has thrown, whether it awaits that or not",
    arguments: [("awaited", 2), ("expected", 3)])
  func refusal(ending: String, step: Int) throws {
    let run = try HardCases.run("restless", "refusal", "--ending", ending).exits(70)
    #expect(
      run.stderr
        == "Error: refusal, ending '\(ending)', step \(step): the code has thrown Refused()\n")
  }

  private static func sentence(_ ending: String) -> String {
    """
    Error: standstill, ending '\(ending)', step 2: nothing has moved for 2 seconds; is there a lock that nobody \
    releases, or a loop that never waits? On the virtual scheduler all tasks have one thread: wait with 'await' \
    instead

    """
  }
}

@Suite("Code of the main thread") struct MainThreadTests {
  @Test("runs while a step waits on the pool, also when other code waits for it")
  func pool() throws { try HardCases.run("main", "check", "--scheduler", "pool").exits(0) }

  @Test("runs in virtual time", .needsVirtualTime) func virtual() throws {
    try HardCases.run("main", "check", "main-thread").exits(0)
  }
}

/// The memlab of the folder `Fixtures/HardCases`.
enum HardCases {
  private static let program = Program(MemlabBinary.folder.appending(path: "HardCases"))

  /// Runs it.
  static func run(_ words: String...) throws -> ProgramResult { try run(words) }

  /// Runs it.
  static func run(_ words: [String], environment: [String: String?] = [:]) throws -> ProgramResult {
    try program.run(
      words, environment: MemlabBinary.neutral.merging(environment) { $1 }, limit: .seconds(120))
  }

  /// Runs what mostly waits, while other tests go on.
  static func runBesideTests(
    _ words: [String], environment: [String: String?] = [:]
  ) async throws -> ProgramResult {
    try await program.runBesideTests(
      words, environment: MemlabBinary.neutral.merging(environment) { $1 }, limit: .seconds(120))
  }
}
