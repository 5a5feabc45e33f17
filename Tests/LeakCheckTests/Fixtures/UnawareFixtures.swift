import Dispatch
import LeakCheck
import TestSupport
import Testing
import XCTest

/// Tests that say nothing of leaks, in all the ways in which a test may be declared. Where the
/// figure is odd, one leaks.
@Suite("Unaware", .enabled(if: Fixture.isOn)) struct UnawareFixtures {
  @Test func clean() { leaveRing(if: false) }
  @Test func ring() { leaveRing(if: true) }
  @Test("with a name, and a trait", .timeLimit(.minutes(10))) func named() { leaveRing(if: true) }

  @Test func taskThatNeverEnds() { Task(name: "parked") { await Request().load() } }

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

  // The ring is the closure and the variable that it captures; the clock hangs on it.
  @Test func closureThatCallsItself() {
    let clock = Clock()
    var tick: (() -> Void)?
    tick = { if clock.partner != nil { tick?() } }
    tick?()
  }

  private final class Reminder {
    var item: DispatchWorkItem?

    func note(as kept: (UInt) -> UInt) {
      let block = item.map { Unmanaged.passUnretained($0).toOpaque() + 16 }?.load(as: UInt.self)
      // Where nothing small has been before, to which something may still point.
      UnsafeMutablePointer.allocate(capacity: 400).initialize(repeating: kept(block ?? 0), count: 8)
    }
  }

  // The ring goes through memory that has no retain count: the item's block.
  @Test func workItemThatNobodyRuns() {
    let reminder = Reminder()
    reminder.item = DispatchWorkItem { reminder.item = nil }
  }

  // What libdispatch keeps of a call that it has made has the block's address, too. Nothing leads there.
  @Test func workItemThatWasNoted() {
    let reminder = Reminder()
    reminder.item = DispatchWorkItem { reminder.item = nil }
    reminder.note { $0 }
    clearStack()
  }

  // As C code does, of which nothing is known.
  @Test func workItemThatIsKept() throws {
    typealias Copy = @convention(c) (UInt) -> UInt
    let reminder = Reminder()
    reminder.item = DispatchWorkItem { reminder.item = nil }
    reminder.note(as: unsafeBitCast(try #require(dlsym(nil, "_Block_copy")), to: Copy.self))
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

/// What the first one leaves behind goes on, and creates a task while the second one runs.
@Suite("Going on", .serialized, .enabled(if: Fixture.isOn)) struct GoingOnFixtures {
  private static let poller = Poller()

  @Test func first() { Self.poller.poll() }
  @Test func second() async {
    Self.poller.last = { Task { await Request().load() } }
    Self.poller.isStopped = true
    try? await Task.sleep(for: .milliseconds(50))
  }
}

/// Leaks that have one holder, and are told apart by their tasks' names.
@Suite("Unaware, with one holder", .enabled(if: Fixture.isOn)) struct AlikeFixtures {
  @Test(arguments: ["first", "second"]) func alike(name: String) {
    Task(name: name) { await Request().load() }
  }

  private final class Planet {
    struct Neighbours { var left, right: Planet? }
    var neighbours = Neighbours()
  }

  @Test func byPartsOfOneProperty() {
    for part in [\Planet.neighbours.left, \.neighbours.right] {
      let planet = Planet()
      planet[keyPath: part] = planet
    }
  }
}

/// Leaks whose names a terminal or a build server would obey.
@Suite("Unaware, with hostile names", .enabled(if: Fixture.isOn)) struct HostileFixtures {
  // Its name has U+202E in it, which turns the direction of what follows.
  private final class `Turned‮` { var partner: `Turned‮`? }

  @Test func task() { Task(name: Hostile.name) { await Request().load() } }

  @Test func ring() { Self.leave(`Turned‮`()) }

  // Or optimised code does not even make it.
  @inline(never) private static func leave(_ turned: `Turned‮`) { turned.partner = turned }
}

final class HostileXCTests: XCTestCase {
  override func setUpWithError() throws { try XCTSkipUnless(Fixture.isOn) }

  func testTask() async { Task(name: Hostile.name) { await Request().load() } }
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

/// Tests that say nothing of leaks and leave a ring whose address stands somewhere.
@Suite("Pointed at", .enabled(if: Fixture.isOn), .serialized) struct PointedFixtures {
  // It owns nothing, as what an earlier call has left in memory.
  nonisolated(unsafe) static var pointer: UnsafeMutableRawPointer?
  // Complements of addresses, which nobody takes for them.
  nonisolated(unsafe) static var hidden: [UInt] = []

  nonisolated(unsafe) private static var looks = 0

  @Test func ownedByNobody() {
    Self.looks = HeapReadTurn.count
    leaveRing(Self.note)
  }

  @Test func besideAnother() {
    print("looks: \(HeapReadTurn.count - Self.looks)")
    leaveRing(Self.note)
    leaveRing()
  }

  @Test func ownedInSecret() { leaveRing(Self.hide) }

  // Then as many references are found as there are, but one of them holds nothing.
  @Test func ownedInSecretAndLeftInMemory() {
    leaveRing { clock in
      Self.hide(clock)
      let note = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: 3)
      note.initialize(to: Unmanaged.passUnretained(clock).toOpaque())
    }
  }

  static func note(_ clock: Clock) { pointer = Unmanaged.passUnretained(clock).toOpaque() }

  static func hide(_ clock: Clock) {
    hidden.append(~UInt(bitPattern: Unmanaged.passRetained(clock).toOpaque()))
  }
}

/// Crashes when a test has left something behind.
@Suite("Crashing", .serialized, .enabled(if: Fixture.isOn)) struct CrashingFixtures {
  @Test func first() { leaveRing { _ in } }
  @Test func second() { fatalError("as it is meant to") }
}

/// Leaves thousands of rings behind, of which somebody owns one in a hundred in a way that nobody sees. Of
/// one of the others the address stands somewhere, so that they cannot all be judged by one question.
@Suite("Many rings", .enabled(if: Fixture.isOn)) struct ManyFixtures {
  static let count = Fixture.isThorough ? 20_000 : 4_000

  @Test func many() {
    for number in 0..<Self.count {
      leaveRing {
        if number % 100 == 7 { PointedFixtures.hide($0) }
        if number == Self.count / 20 * 9 { PointedFixtures.note($0) }
      }
    }
  }
}
