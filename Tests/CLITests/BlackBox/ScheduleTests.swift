import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("In other orders of the same jobs", .needsVirtualTime) struct ScheduleTests {
  @Test("every ending measures what it declares, in all orders or in as many as are run")
  func catalog() throws {
    let run = try MemlabBinary.run(["check", "--schedules", "all:300"])
    #expect(run.exitCode == 0, "\(run.stdout)")
  }

  @Test("left to luck are those of as many endings as are named") func seed() throws {
    let run = try MemlabBinary.run(["check", "retain-cycle", "--schedules", "seed:7"])
    #expect(run.exitCode == 0)
    #expect(run.stdout.hasSuffix("1 scenario, 2 endings: 2 as declared, 0 not\n"))
  }

  @Test(
    "is bad usage what no order can be",
    arguments: [
      (["check", "--schedules", "some"], "Give a whole number from 1 to 1000000, all, all:50000"),
      (["check", "--schedules", "all", "--scheduler", "pool"], "the order of the jobs is the"),
      (["strong-self", "--schedules", "3", "--instances", "2"], "not both."),
      (["check", "retain-cycle", "--schedules", "replay:5=2"], "and 2 are to be run in the order"),
      (["check", "--family", "stream", "--schedules", "replay:1=2"], "with '--ending', one"),
      (["strong-self", "--schedules", "replay:1=2"], "and 3 are to be run in the order"),
    ])
  func usage(words: [String], sentence: String) throws {
    let run = try MemlabBinary.run(words)
    #expect(run.exitCode == 64)
    #expect(run.stdout == "")
    #expect(run.stderr.contains(sentence), "\(run.stderr)")
  }
}
