// This file is read first. Its first import tells which module the types of C belong to.
import Glibc
import TestSupport
import Testing

@Suite("Bodies that are cancelled everywhere", .needsHeap, .beginning("CancelledFixtures"))
struct CancelledTests {
  private static let output = Fixture.run(of: "CancelledFixtures")

  /// What the failure says: where the body was cancelled, and who holds what is left.
  private static let words = [
    "actorKeepsRequest()": ["while it waits in pause() at Cancelled", "inFlight[…] → Ticket"],
    "registryKeepsTicket()": ["while it waits in pause() at Cancelled", "tickets[…] → Ticket"],
    "childInAGroup()": ["while it waits in pause() at Cancelled", "tickets[…] → Ticket"],
    "asyncLetChild()": ["while it waits in pause() at Cancelled", "inFlight[…] → Ticket"],
    "ringThatIsCutAtTheEnd()": ["while it waits in pause() at Cancelled", "other → Partner"],
    "consumerOfAStream()": [
      "while it waits in closure #1 in consumerOfAStream() at Cancelled", "tickets[…] → Ticket",
    ],
    "workerThatIsNotCancelled()": [
      "task \"worker\" has not finished", "while it waits in pause() at Cancelled",
      "the first of ", "also cancelled before it begins",
    ],
    "onlyJustAfterTheWait()": [
      "cancelled when it has waited in pause() at Cancelled", ", before it goes on, the first of ",
    ],
    "onlyWhenCancelledBefore()": [
      "cancelled before it begins", "to see it again: cancelling: .beforeItBegins",
    ],
    "yields()": ["while it waits in closure #1 in yields() at Cancelled"],
    "onMainActor()": [
      "while it waits in pause() at Cancelled", "which the check does not steer, the first of ",
      "handler → closure #1 in appear()",
    ],
    "byTrait()": ["while it waits in pause() at Cancelled", "to see it again: cancelling: .at(1)"],
    "ofACase(number:)": ["while it waits in pause() at Cancelled", "with 1 argument number → 2"],
    "plainLeakIsToldOnce()": ["tickets[…] → Ticket"],
    "oneAgain()": ["the third of ", "to see it again: cancelling: .at(3)"],
  ]

  @Test("every one fails that leaves something behind then, and no other does")
  func failures() async throws {
    #expect(try await Self.output.value.failed == Set(Self.words.keys))
  }

  @Test("the failure names the place and the holder", arguments: words.keys.sorted())
  func named(test: String) async throws {
    let text = try await Self.output.value.issues(of: test).joined(separator: "\n")
    for words in try #require(Self.words[test]) { #expect(text.contains(words), "\(text)") }
  }

  @Test("what is left at several places is one issue", arguments: words.keys.sorted())
  func joined(test: String) async throws {
    let count = test == "ofACase(number:)" ? 2 : 1
    #expect(try await Self.output.value.issues(of: test).count == count)
  }

  @Test("what is left without a cancellation is not blamed on one") func plain() async throws {
    let issues = try await Self.output.value.issues(of: "plainLeakIsToldOnce()")
    #expect(!issues.contains { $0.contains("cancelled") }, "\(issues)")
  }

  @Test("what leaves nothing behind passes, also when it differs from run to run")
  func clean() async throws { try await Fixture.run("CleanCancelledFixtures").expectPassed(13) }

  @Test("a suite's trait cancels each of its tests") func suite() async throws {
    #expect(try await Fixture.run("CancelledSuiteFixtures").failed == ["leaks()"])
  }
}

@Suite("Bodies that do not end when they are cancelled", .needsHeap, .beginning("HangingFixtures"))
struct HangingTests {
  private static let output = Fixture.run(of: "HangingFixtures")

  @Test(
    "are reported with where they wait, and the run goes on",
    arguments: ["inAFunction()", "inATest()", "onMainActor()"])
  func hanging(test: String) async throws {
    let output = try await Self.output.value
    let issue = output.issues(of: test).first { $0.contains("the body does not end: see ") } ?? ""
    #expect(issue.contains("cancelled while it waits in closure #1 in request()"), "\(output.text)")
    // Optimised code has the library's function and the test's in that of the closure.
    #if DEBUG
      let place = StrippedLibraries.isOn ? "a continuation" : "withCheckedContinuation"
      #expect(issue.contains("suspended in \(place), though it is cancelled\n"), "\(issue)")
      #expect(issue.contains("created in \(test)"), "\(issue)")
    #endif
    output.expect("Test run with 5 tests in 1 suite failed after")
  }

  @Test("where one run keeps what the next one needs, it is blamed, and the runs end")
  func stuck() async throws {
    let output = try await Self.output.value
    let issues = output.issues(of: "nextRunWaits()")
    #expect(issues.count == 1, "\(issues)")
    output.expect(
      "the body does not end any more, even when nobody cancels it: it waits in enter() at ",
      ". The run before was cancelled while it waits in pause() at Cancelled")
  }
}

@Suite("Places to cancel a body at", .beginning("CancellationPointFixtures"))
struct CancellationPointTests {
  private static let output = Fixture.run(of: "CancellationPointFixtures")

  @Test(
    "there are none: a sentence says so",
    arguments: [
      (
        "limitOfNothing()",
        "cancelling: .atEachSuspension(limit: 0) cancels nowhere. The limit must be 1 or more."
      ),
      ("noNumber()", ".at(0) is no place. The first place where a body suspends is .at(1)."),
      ("noSuchPlace()", ".at(99) is no place of this body. It suspends 2 times"),
    ])
  func none(test: String, sentence: String) async throws {
    let output = try await Self.output.value
    #expect(output.failed == ["limitOfNothing()", "noNumber()", "noSuchPlace()"], "\(output.text)")
    #expect(output.issues(of: test).first?.contains(sentence) == true, "\(output.text)")
  }

  @Test("too many are said to be so", .needsWarnings) func tooMany() async throws {
    try await Self.output.value.expect(
      "cancelled at 4 of 40 suspensions, picked evenly: .atEachSuspension(limit: 40) takes all")
  }
}
