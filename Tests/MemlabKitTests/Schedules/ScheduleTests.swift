import Foundation
import MemlabKit
import TestSupport
import Testing

@Suite("Other orders of the same jobs", .needsVirtualTime) struct ScheduleTests {
  private static let program = Program(MemlabBinary.folder.appending(path: "Schedules"))

  private static func run(_ ending: String, _ schedules: String) throws -> ProgramResult {
    try program.run(["orders", "--ending", ending, "--schedules", schedules])
  }

  private static func exploration(_ ending: String, _ schedules: String) throws -> Exploration {
    let run = try program.run(
      ["orders", "--ending", ending, "--schedules", schedules, "--format", "json"])
    #expect(run.stderr == "")
    let report = try JSONDecoder().decode(Report.self, from: Data(run.stdout.utf8))
    #expect(report.schema == "memlab.schedules/1")
    let exploration = try #require(report.endings.first)
    #expect(run.exitCode == (exploration.asExpected ? 0 : 1))
    return exploration
  }

  private struct Report: Decodable {
    let schema: String
    let endings: [Exploration]
  }

  struct Exploration: Decodable {
    struct Outcome: Decodable {
      let orders: Int
      let order: String
      let measured: Measured
    }
    struct Measured: Decodable {
      let verdict: String
      let metrics: [String: Int]
    }
    let orders: Int
    let isComplete: Bool
    let asExpected: Bool
    let breaking: String?
    let outcomes: [Outcome]
  }

  @Test(
    "are as many as can be counted by hand",
    arguments: [
      ("independent", 6),  // 3!
      ("promise", 2),  // 2!
      ("apart", 2),  // who begins is free, who wakes is not
      ("sleepers", 12),  // 2! beginnings, and two wake in two stretches each: 4! / 2!2!
      ("main", 3),  // first in, first out; only their maker, no longer there, ends when it likes
      ("actor", 1),  // a queue of its own, first in, first out
    ])
  func count(ending: String, orders: Int) throws {
    let exploration = try Self.exploration(ending, "all")
    #expect(exploration.orders == orders)
    #expect(exploration.isComplete)
    #expect(exploration.asExpected == !["promise", "sleepers"].contains(ending))
    #expect(exploration.outcomes.reduce(0) { $0 + $1.orders } == orders)
  }

  @Test("lose no update of two writers where one ends before the other begins, and there alone")
  func writers() throws {
    let exploration = try Self.exploration("writers", "all")
    #expect(exploration.isComplete)
    let lost = exploration.outcomes.map { ($0.measured.metrics["lostUpdates"], $0.orders) }
    #expect(lost.count == 2)
    #expect(lost.last?.0 == 0)
    #expect(lost.last?.1 == 2)
    #expect(exploration.outcomes.map(\.measured.verdict) == ["race", "clean"])
  }

  @Test("that break a declaration are found, and run again", arguments: ["all", "50"])
  func breaking(schedules: String) throws {
    for ending in ["writers", "sleepers", "promise"] {
      let order = try #require(try Self.exploration(ending, schedules).breaking)
      try Self.run(ending, "replay:\(order)").exits(1).says("NOT as expected")
      #expect(try Self.run(ending, "replay:arrival").exitCode == 0)
    }
  }

  @Test("may lead elsewhere where that is declared, and only if the jobs ran in another order")
  func elsewhere() throws {
    #expect(try Self.exploration("either", "all").asExpected)
    #expect(try Self.program.run(["orders", "--ending", "either"]).exitCode == 0)
    #expect(try Self.exploration("swapped", "all").asExpected)
    #expect(try Self.program.run(["orders", "--ending", "swapped"]).exitCode == 1)
  }

  @Test("must all be found where all are run") func absent() throws {
    let sentence = "declared for some order, and came of none: race, final 0, lostUpdates 2"
    try Self.run("absent", "all").exits(1).says("\n  ✗ \(sentence)\n")
    try Self.program.run(["check", "--ending", "absent", "--schedules", "all"]).exits(1)
      .says("    - \(sentence)\n")
    #expect(try Self.run("absent", "3").exitCode == 0)
  }

  @Test("are not to blame for what outlives the first of them", arguments: ["all", "50"])
  func once(schedules: String) throws {
    let sentence = "the first order was as declared, and is not when it is run again"
    #expect(try Self.run("once", schedules).stdout.contains("\n  ! \(sentence)"))
    #expect(try !Self.run("promise", schedules).stdout.contains(sentence))
    let check = try Self.program.run(["check", "--ending", "once", "--schedules", schedules])
    #expect(check.stdout.joinedLines.contains("- \(sentence)"), "\(check.stdout)")
  }

  @Test("found by luck are cut down to the shortest that breaks the declaration")
  func shortest() throws {
    #expect(try Self.exploration("sleepers", "all").breaking == "1=2")
    // Left to luck, seven choices deviate; one of them is enough to keep the last from being last.
    let order = try #require(try Self.exploration("last", "3").breaking)
    #expect(order.split(separator: ",").count == 1, "\(order)")
  }

  @Test("on the pool end with a step only when its tasks have", arguments: ["pool", "virtual"])
  func slow(scheduler: String) throws {
    try Self.program.run(["orders", "--ending", "slow", "--scheduler", scheduler]).exits(0)
  }

  @Test("stop at the limit, and say so") func limit() throws {
    let exploration = try Self.exploration("deep", "all:100")
    #expect(exploration.orders == 100)
    #expect(!exploration.isComplete)
    let text = try Self.run("deep", "all:100").stdout
    #expect(text.contains("\n  100 orders of up to 7 choices, and there may be others\n"))
  }

  @Test("are the same for the same seed, and others for others") func seeds() throws {
    let runs = try (1...20).map { try Self.run("sleepers", "seed:\($0)") }
    #expect(try Self.run("sleepers", "seed:1") == runs[0])
    #expect(Set(runs.map(\.exitCode)) == [0, 1])
    #expect(try Self.exploration("independent", "100").orders == 6)
  }

  @Test(
    "are bad usage where the ending has no such order",
    arguments: [
      ("1=3", "choice 1 of this run is between 2 jobs."), ("9=2", "has 1 choices, fewer"),
    ])
  func misfit(order: String, sentence: String) throws {
    let run = try Self.run("promise", "replay:\(order)").exits(64).complains(sentence)
    #expect(run.stderr.hasPrefix("Error: the order does not fit the ending 'promise': "))
  }

  @Test("that break a declaration fail a check, which tells the shortest") func check() throws {
    try Self.program.run(["check", "--ending", "promise", "--schedules", "all"]).exits(1)
      .says(
        "✗ orders    promise  clean    everything is gone · 2 orders\n",
        "    - otherwise in 1 of 2 orders, the shortest --schedules replay:1=2\n")
    try Self.program.run(["check", "--ending", "apart", "--schedules", "all"]).exits(0)
  }
}

@Suite("An order of jobs") struct OrderTests {
  @Test(
    "is told in a form that can be read back",
    arguments: [
      ([], "arrival"), ([0, 0], "arrival"), ([1], "1=2"), ([0, 0, 2], "3=3"),
      ([1, 0, 0, 4, 0], "1=2,4=5"),
    ])
  func text(choices: [Int], text: String) throws {
    let order = Order(choices)
    #expect(order.description == text)
    #expect(try #require(Order(text)) == order)
  }

  @Test(
    "is not what makes no sense",
    arguments: [
      "", "1", "=", "0=1", "1=0", "2=2,1=2", "1=2,1=2", "1=2,", "1=2;2=2", "1000001=1", "-1=2",
      "1=99999999999999999999",
    ])
  func nonsense(text: String) { #expect(Order(text) == nil) }

  @Test(
    "is one of several plans",
    arguments: [
      ("all", SchedulePlan.all(orders: 2_000)), ("all:7", .all(orders: 7)), ("12", .random(12)),
      ("seed:0", .seed(0)), ("replay:2=3", .replay(Order([0, 2]))), ("all:0", nil), ("0", nil),
      ("1000001", nil), ("seed:", nil), ("seed:-1", nil), ("replay:", nil), ("some", nil),
    ])
  func plans(text: String, plan: SchedulePlan?) { #expect(SchedulePlan(text) == plan) }
}

@Suite("Jobs that are ready") struct ReadyJobsTests {
  @Test("are offered as a search of the whole list would offer them", arguments: 1...20)
  func likeTheList(seed: UInt64) {
    var luck = SplitMix64(seed: seed)
    var (ready, list) = (ReadyJobs(), List())
    for number in 1...300 {
      if Bool.random(using: &luck) || list.jobs.isEmpty {
        let lane: JobQueue.Lane = Bool.random(using: &luck) ? .main : .global
        ready.append((Self.job(number), lane))
        list.jobs.append((number, lane))
      } else if Bool.random(using: &luck) {
        #expect(Self.number(ready.remove(at: 0)) == list.jobs.removeFirst().number)
      } else {
        let place = Int.random(in: list.candidates.indices, using: &luck)
        #expect(
          Self.number(ready.remove(at: place))
            == list.jobs.remove(at: list.candidates[place]).number)
      }
      #expect(ready.candidateCount == list.candidates.count)
      #expect(ready.isEmpty == list.jobs.isEmpty)
    }
    while !list.jobs.isEmpty {
      #expect(Self.number(ready.remove(at: 0)) == list.jobs.removeFirst().number)
    }
    #expect(ready.isEmpty)
  }

  /// What ``ReadyJobs`` does, by searching all jobs each time.
  private struct List {
    var jobs: [(number: Int, lane: JobQueue.Lane)] = []

    var candidates: [Int] {
      let firstOfMain = jobs.firstIndex { $0.lane == .main }
      return jobs.indices.filter { jobs[$0].lane == .global || $0 == firstOfMain }
    }
  }

  // A job that is never run, so its pointer may be any number but 0.
  private static func job(_ number: Int) -> UnownedJob {
    unsafeBitCast(number, to: UnownedJob.self)
  }

  private static func number(_ entry: ReadyJobs.Entry?) -> Int? {
    entry.map { unsafeBitCast($0.job, to: Int.self) }
  }
}

@Suite("Virtual time", .needsVirtualTime) struct VirtualTimeTests {
  @Test("runs everything that Swift schedules in one order, without waiting")
  func everything() throws {
    let run = try MemlabBinary.run(of: "VirtualTime").exits(0).complainsOfNothing()
    try Golden.check("virtual-time", run.stdout)
  }
}
