import Testing
import XCTest

/// Tests that say nothing of leaks, in all the ways in which a test may be declared. Where the
/// figure is odd, one leaks.
@Suite("Unaware", .enabled(if: Fixture.isOn)) struct UnawareFixtures {
  @Test func clean() { leaveRing(if: false) }
  @Test func ring() { leaveRing(if: true) }
  @Test("with a name, and a trait", .timeLimit(.minutes(10))) func named() { leaveRing(if: true) }

  @Test func taskThatNeverEnds() {
    Task(name: "parked") { await Request().load() }
  }

  @Test func detachedTaskThatNeverEnds() {
    Task.detached(name: "parked too") { await Request().load() }
  }

  @Test func taskThatEndsLater() {
    let clock = Clock()
    clock.partner = clock
    Task {
      try? await Task.sleep(for: .milliseconds(50))
      clock.partner = nil
    }
  }

  @Test(arguments: [1, 2]) func one(number: Int) { leaveRing(if: number % 2 == 1) }
  @Test(arguments: [1, 2], [1, 2]) func two(number: Int, other: Int) {
    leaveRing(if: number == 1 && other == 1)
  }
  @Test(arguments: zip([1, 2], [3, 4])) func zipped(number: Int, other: Int) {
    leaveRing(if: number == 1)
  }
  @Test(arguments: [(1, "one"), (2, "two")]) func pairs(number: Int, name: String) {
    leaveRing(if: number == 1)
  }
  @Test(arguments: [1: "one", 2: "two"]) func dictionary(number: Int, name: String) {
    leaveRing(if: number == 1)
  }
}

/// Leaks that have one holder, and are told apart by their tasks' names.
@Suite("Unaware, with one holder", .enabled(if: Fixture.isOn)) struct AlikeFixtures {
  @Test(arguments: ["first", "second"]) func alike(name: String) {
    Task(name: name) { await Request().load() }
  }
}

final class UnawareXCTests: XCTestCase {
  override func setUpWithError() throws { try XCTSkipUnless(Fixture.isOn) }

  func testClean() { leaveRing(if: false) }
  func testRing() { leaveRing(if: true) }
  func testTask() async { Task(name: "parked") { await Request().load() } }

  @MainActor func testTaskOfTheMainActorThatEndsLater() async {
    Task { @MainActor in try? await Task.sleep(for: .milliseconds(50)) }
  }
}

// With -O, a ring that nobody looks at does not exist: no object is made for it.
@_optimize(none) private func leaveRing(if isWanted: Bool) {
  let clock = Clock()
  if isWanted { clock.partner = clock }
}
