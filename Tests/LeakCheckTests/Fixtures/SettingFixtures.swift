import Dispatch
import Glibc
import LeakCheck
import LeakCheckXCTest
import MemlabHeapModel
import Testing
import XCTest

/// What is declared, what is known from before, and what is used in the wrong place.
@Suite("Settings", .enabled(if: Fixture.isOn), .serialized) struct SettingFixtures {
  @Test func declared() async {
    await expectNoLeaks(allowing: [
      .task("forwarder", "it lives as long as the app"),
      .object(of: Forwarder.self, "its task holds it"),
    ]) { watch(Forwarder()).start() }
  }

  @Test(.noLeaks(allowing: [.task("load()", "nobody answers in this test")]))
  func declaredByFunction() { Task { await Request().load() } }

  @Test(.noLeaks(allowing: [.task("forwarder", "it lives as long as the app")]))
  func declaredInPart() { watch(Forwarder()).start() }

  @Test(.noLeaks(baseline: Fixture.variable("LEAKCHECK_TEST_BASELINE")))
  func known() { watch(Forwarder()).start() }

  // Two that a baseline does not tell from one another, and a third. Of objects it is written down who
  // holds them, which leftovers in memory may change.
  @Test func tasksOfABaseline() async {
    await expectNoLeaks(baseline: Fixture.variable("LEAKCHECK_TEST_BASELINE")) {
      for _ in 0..<2 { Forwarder().start() }
      Task(name: "loader") { await Request().load() }
    }
  }

  @Test func watchOutside() { watch(Forwarder()) }

  @Test(.noLeaks) func nested() async { await expectNoLeaks { watch(Forwarder()).start() } }

  @Test func throwing() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await expectNoLeaks {
        watch(Forwarder()).start()
        throw Failure()
      }
    }
  }

  @Test func cleanInWholeProcess() async {
    await expectClean(wholeProcess: true) {
      let clock = watch(Clock())
      Task.detached { clock.time = await slept(for: 5) }
    }
  }

  @Test func detachedEscapes() async {
    await expectNoLeaks { Task.detached(name: "escapes") { await Request().load() } }
  }

  // Without the second check's tasks, whose object leaks, the first would be over.
  @Test func tasksOfAnObjectCheck() async {
    await expectNoLeaks(within: Fixture.limit) {
      await expectDeallocated(within: Fixture.limit) { () -> Forwarder in
        let forwarder = Forwarder()
        forwarder.start()
        return forwarder
      }
    }
  }

  @Test func cancelled() async {
    let test = Task {
      await expectNoLeaks(within: .seconds(40), patience: .seconds(40)) {
        Registry.shared.entries = [watch(Clock())]
      }
    }
    test.cancel()
    await test.value
    Registry.shared.entries = []
  }
}

/// Checks in a process that records less of the heap, or nothing.
@Suite("Recording", .enabled(if: Fixture.isOn), .serialized) struct RecordingFixtures {
  /// An object from before the first check, which is not on the recorded heap.
  @Test func olderObject() async {
    Registry.shared.entries = [Clock()]
    onQueue(after: 2500) { Registry.shared.entries = [] }
    await expectNoLeaks { watch(Registry.shared.entries[0]) }
  }

  /// A task that waits for somebody from before the first check, who has it in memory of his own.
  @Test func olderHolder() async {
    let request = Request()
    onQueue(after: 2500) { request.answer() }
    await expectNoLeaks {
      let clock = watch(Clock())
      Task {
        await request.load()
        clock.time = 1
      }
    }
  }

  @Test func off() async {
    await expectNoLeaks(within: .milliseconds(100)) { watchRing() }
    #expect(HeapRecording.live.blocks == 0)
  }
}

/// Leaks that a test wants.
@Suite("Wanted", .enabled(if: Fixture.isOn), .serialized) struct WantedFixtures {
  @Test(arguments: ["Registry.shared", "Registry.entries", "Registry"])
  func heldByGlobal(holder: String) async {
    await expectLeaks([.object(of: Clock.self, heldBy: holder)]) {
      Registry.shared.entries = [watch(Clock())]
    }
    Registry.shared.entries = []
  }

  @Test(arguments: ["Clock.partner", "partner"]) func heldByPartner(holder: String) async {
    await expectLeaks([.object(of: Clock.self, heldBy: holder)]) { watchRing() }
  }

  @Test(arguments: ["forwarder", "start()", "start"]) func heldByTask(holder: String) async {
    await expectLeaks([.task("forwarder"), .object(of: Forwarder.self, heldBy: holder)]) {
      watch(Forwarder()).start()
    }
  }

  @Test(.leaks(.task("forwarder"), .object(of: Forwarder.self, heldBy: "forwarder")))
  func ofATrait() { watch(Forwarder()).start() }

  @Test func gone() async {
    await expectLeaks([.task("forwarder"), .object(of: Forwarder.self, heldBy: "forwarder")]) {
      let forwarder = watch(Forwarder())
      forwarder.start()
      forwarder.stop()
    }
  }

  @Test func moved() async {
    await expectLeaks([.object(of: Clock.self, heldBy: "Registry.shared")]) { watchRing() }
  }

  @Test func notAlone() async {
    await expectLeaks([.task("forwarder")]) { watch(Forwarder()).start() }
  }
}

/// Runs what a library leaks that another test has made.
@Suite("Library", .enabled(if: Fixture.isOn)) struct LibraryFixtures {
  private static let path = Fixture.variable("LEAKCHECK_TEST_LIBRARY")

  @Test func library() async throws {
    let library = dlopen(Self.path, RTLD_NOW)
    let function = try #require(dlsym(library, "leak"))
    let leak = unsafeBitCast(function, to: (@convention(c) () -> Void).self)
    await expectNoLeaks(within: .milliseconds(300)) { leak() }
  }
}

final class XCTestFixtures: XCTestCase {
  override func setUpWithError() throws { try XCTSkipUnless(Fixture.isOn) }

  func testLeaks() async { await assertNoLeaks { watch(Forwarder()).start() } }
  func testDeallocated() async { await assertDeallocated { Clock.ring() } }
  func testGlobal() async { await assertNoLeaks { Registry.shared.entries.append(watch(Clock())) } }

  func testDeclared() async {
    await assertNoLeaks(allowing: [
      .task("forwarder", "it lives as long as the app"),
      .object(of: Forwarder.self, "its task holds it"),
    ]) { watch(Forwarder()).start() }
  }

  func testClean() async {
    await assertNoLeaks {
      let forwarder = watch(Forwarder())
      forwarder.start()
      forwarder.stop()
    }
  }
}
