import TestSupport
import Testing

@Suite("A step that makes no progress") struct StandstillTests {
  // On the pool, the scheduler finds out before the watchdog does.
  @Test(
    "is named, and memlab ends with 70", .needsVirtualTime,
    arguments: ["semaphore", "loop", "action"])
  func ends(ending: String) async throws {
    let run = try await HardCases.runBesideTests(["standstill", "--ending", ending])
    #expect(run.exitCode == 70)
    #expect(run.stderr == Self.sentence(ending), "\(run.stdout)")
  }

  @Test("stops a check in one process, whose document is whole", .needsVirtualTime)
  func check() async throws {
    let run = try await HardCases.runBesideTests(
      ["together", "check", "standstill", "--ending", "loop", "--format", "tap"])
    #expect(run.exitCode == 70)
    #expect(run.stderr.hasSuffix(Self.sentence("loop")))
    #expect(run.stdout.contains("Bail out!"), "\(run.stdout)")
  }

  @Test("is found on the pool, even if it leaves no thread to look from") func pool() throws {
    let run = try HardCases.run("standstill", "--ending", "crowd", "--scheduler", "pool")
    #expect(run.exitCode == 70)
    #expect(
      run.stderr.hasPrefix(
        "Error: standstill, ending 'crowd', step 2: a thread of the pool is not free"),
      "\(run.stderr)")
  }

  @Test("does not keep the endings after it from being measured", .needsVirtualTime)
  func restless() throws {
    let run = try HardCases.run("restless", "check", "restless", "--format", "tap")
    #expect(run.exitCode == 70)
    #expect(run.stdout.contains("\nnot ok 1 - restless, ending sleeper"), "\(run.stdout)")
    #expect(run.stdout.contains("\nok 2 - restless, ending after"), "\(run.stdout)")
  }

  @Test(
    "of an ending that throws is the one that has thrown, whether it awaits that or not",
    arguments: [("awaited", 2), ("expected", 3)])
  func refusal(ending: String, step: Int) throws {
    let run = try HardCases.run("restless", "refusal", "--ending", ending)
    #expect(run.exitCode == 70)
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
