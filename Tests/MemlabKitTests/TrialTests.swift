import Foundation
import MemlabKit
import TestSupport
import Testing

@Suite("A trial") struct TrialTests {
  private final class Thing: Sendable { private let probe = Probe(Thing.self) }

  private static let oneThing = [ObjectCount("Thing", created: 1, deinitialized: 1)]

  private static func ending(
    expecting expectation: Declaration, claims: [Claim] = [],
    run: @escaping @Sendable (Lab) throws -> Void = { lab in
      try lab.step("a thing comes and goes") { _ = Thing() }
    }
  ) -> Ending {
    Ending(
      "end", "it ends", expects: expectation, explanation: "It is so.", claims: claims, run: run)
  }

  private static func measure(_ ending: Ending) throws -> TrialReport {
    try Trial(of: ending, on: ImpatientScheduler()).run()
  }

  @Test("that measures what is declared is as expected") func asDeclared() throws {
    let trial = try Self.measure(
      Self.ending(expecting: Declaration(.clean, objects: Self.oneThing)))
    #expect(trial.asExpected)
    #expect(trial.verdict == .clean)
    #expect(trial.steps.map(\.changes) == [["+ Thing", "- Thing"]])
  }

  @Test(
    "names each count that differs",
    arguments: [
      (Declaration(.leak, objects: oneThing), "verdict: expected leak, measured clean"),
      (Declaration(.clean), "Thing: expected 0 of 0 deinitialised, measured 1 of 1 deinitialised"),
      (
        Declaration(.clean, objects: [ObjectCount("Thing", created: 2, deinitialized: 2)]),
        "Thing: expected 2 of 2 deinitialised, measured 1 of 1 deinitialised"
      ),
      (
        Declaration(
          .clean, objects: oneThing, tasks: [TaskCount("worker", started: 1, finished: 0)]),
        "task worker: expected 0 of 1 finished, measured 0 of 0 finished"
      ),
      (
        Declaration(.clean, objects: oneThing, metrics: ["received": 2]),
        "received: expected 2, measured nothing"
      ),
    ])
  func differing(expectation: Declaration, difference: String) throws {
    let trial = try Self.measure(Self.ending(expecting: expectation))
    #expect(!trial.asExpected)
    #expect(trial.differences == [difference])
  }

  @Test("is not as expected when a claim comes out otherwise than declared") func claims() throws {
    let expectation = Declaration(.clean, objects: Self.oneThing)
    let claims = [
      Claim("it leaks", original: "-") { $0.totals.aliveObjects > 0 },
      Claim("it leaks", original: "-", .fails(because: "it goes")) { $0.totals.aliveObjects > 0 },
      Claim("it goes", original: "-", .fails(because: "?")) { $0.totals.aliveObjects == 0 },
    ]
    let trial = try Self.measure(Self.ending(expecting: expectation, claims: claims))
    #expect(trial.claims.map(\.holds) == [false, false, true])
    #expect(trial.claims.map(\.asExpected) == [false, true, false])
    #expect(trial.differences.count == 2)
  }

  @Test("that declares nothing is as expected whatever it measures") func unbound() throws {
    #expect(try Self.measure(Self.ending(expecting: .nothing)).asExpected)
  }

  @Test("says so when a step releases nothing, and when it changes nothing")
  func quietSteps() throws {
    let trial = try Self.measure(
      Self.ending(expecting: .nothing) { lab in
        try lab.step("one") {}
        try lab.release("two") {}
      })
    #expect(trial.steps.map(\.changes) == [["nothing changed"], ["nothing was released"]])
    #expect(trial.steps.map(\.index) == [1, 2])
  }

  @Test("whose step keeps no promise goes on, counts, and says so, even if nothing is declared")
  func unmet() throws {
    let ending = Self.ending(expecting: .nothing) { lab in
      try lab.step("one") {}
      try lab.step("two", until: { false }) { _ = Thing() }
      try lab.release("three") {}
    }
    let trial = try Self.measure(ending)
    #expect(trial.objects == Self.oneThing)
    #expect(trial.steps.map(\.index) == [1, 2, 3])
    #expect(trial.differences == ["step 2, \"two\": came to rest without doing what it promises"])
  }

  @Test("that does not come to rest names the ending and the step") func restless() {
    let ending = Self.ending(expecting: .nothing) { lab in
      try lab.step("one") {}
      try lab.step("two") { throw SchedulerError.restless }
    }
    let error = #expect(throws: TrialError.self) {
      try Trial(of: ending, on: ImpatientScheduler()).run()
    }
    #expect(error?.description.hasPrefix("ending 'end', step 2: the counts are still") == true)
  }
}

@Suite("Tasks of one name", .needsHeap) struct NamesakeTests {
  private static let places = ["waitForResumption()", "waitForElement()"]

  @Test("that wait at two places are reported with both") func apart() throws {
    let report = try HardCases.run("namesakes", "--ending", "apart").stdout
    #expect(report.count(of: "why task worker never finishes") == 2, "\(report)")
    for place in Self.places { #expect(report.count(of: "└─ \(place)") == 1, "\(report)") }
    let json = try HardCases.run("namesakes", "--ending", "apart", "--format", "json").stdout
    for place in Self.places { #expect(json.count(of: place) == 1, "\(json)") }
  }

  @Test("that wait at the same place are counted") func together() throws {
    let report = try HardCases.run("namesakes", "--ending", "together").stdout
    #expect(report.count(of: "why 2 tasks worker never finish") == 1, "\(report)")
    #expect(report.count(of: "└─ waitForResumption()") == 1, "\(report)")
  }

  @Test("are told apart where only one of them holds what is left") func holder() throws {
    let report = OtherSwift.common(try HardCases.run("namesakes", "--ending", "holder").stdout)
    let place = OtherSwift.common("AsyncStream.Iterator.next()")
    #expect(report.count(of: "task worker, suspended in \(place)") == 1, "\(report)")
    #expect(report.count(of: "why task worker never finishes") == 1, "\(report)")
    #expect(report.count(of: "└─ waitForResumption()") == 1, "\(report)")
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}

@Suite("A variable that holds an object", .needsHeap) struct UnnamedVariableTests {
  @Test(
    "is in the picture with a name and without one, and where an async step has returned it",
    arguments: [
      ("named", "variable thing\n", "Thing - gone\n"),
      ("plain", "variable without a name\n", "Thing - gone\n"),
      ("result", "variable result\n", "variable thing\n"),
    ])
  func walked(ending: String, first: String, later: String) throws {
    try HardCases.run("walk", "unnamed", "--ending", ending).exits(0)
      .says("Thing ← + \(first)", later)
  }

  @Test("has to have one in a check of every step") func everyStep() throws {
    let check = try HardCases.run("check", "unnamed", "--every-step").exits(70)
    let sentence =
      "unnamed, ending 'plain', step 2: the witnesses disagree: Thing has a retain count of 1, but "
      + "0 strong references and 0 named variables were found to hold it (declare a local variable "
      + "that holds it as @Variable)"
    let text = check.stdout.joinedLines
    #expect(text.contains(sentence), "\(check.stdout)")
    #expect(text.contains("3 as declared, 0 not, 1 not measured"), "\(check.stdout)")
  }
}

@Suite("Many traced runs in one process", .needsVirtualTime) struct TracedRunsTests {
  @Test("all say the same, and leave no memory behind, nor the recorder on")
  func manyRuns() throws {
    let asked = ProcessInfo.processInfo.environment["MEMLAB_TRACED_RUNS"]
    let runs = asked ?? (Slow.isOn ? "1000" : "300")
    let run = try Program(MemlabBinary.folder.appending(path: "TracedRuns")).run([runs])
    try #require(run.exitCode == 0, "\(run.stdout)\(run.stderr)")
    let summary = try #require(run.stdout.split(separator: "\n").first)
    let words = summary.split(separator: " ")
    #expect(summary.hasPrefix("\(runs) runs: 0 differ"))
    #expect(try #require(Int(words[4])) <= 64, "\(summary)")
    #expect(run.stdout.contains(#""asExpected":true"#))
  }
}
