import LeakCheck
import Testing

/// What is declared, what is known from before, and what is used in the wrong place.
@Suite("Settings", .enabled(if: Fixture.isOn), .serialized) struct SettingFixtures {
  @Test func declared() async {
    await expectNoLeaks(allowing: [
      .task("forwarder", "it lives as long as the app"),
      .object(of: Forwarder.self, "its task holds it"),
    ]) {
      watch(Forwarder()).start()
    }
  }

  @Test func declaredByFunction() async {
    await expectNoLeaks(allowing: [.task("load()", "nobody answers in this test")]) {
      Task { await Request().load() }
    }
  }

  @Test func declaredInPart() async {
    await expectNoLeaks(allowing: [.task("forwarder", "it lives as long as the app")]) {
      watch(Forwarder()).start()
    }
  }

  @Test func known() async {
    await expectNoLeaks(baseline: Fixture.variable("LEAKCHECK_TEST_BASELINE")) {
      watch(Forwarder()).start()
    }
  }

  // Two that a baseline does not tell from one another, and a third. Of objects it is written down who
  // holds them, which leftovers in memory may change.
  @Test func tasksOfABaseline() async {
    await expectNoLeaks(baseline: Fixture.variable("LEAKCHECK_TEST_BASELINE")) {
      for _ in 0..<2 { Forwarder().start() }
      Task(name: "loader") { await Request().load() }
    }
  }

  @Test func watchOutside() {
    watch(Forwarder())
  }

  @Test(.noLeaks) func nested() async {
    await expectNoLeaks { watch(Forwarder()).start() }
  }

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
    for _ in 0..<20 {
      await expectNoLeaks(wholeProcess: true) {
        let clock = watch(Clock())
        Task.detached {
          try? await Task.sleep(for: .milliseconds(5))
          clock.time = 1
        }
      }
    }
  }

  @Test func detachedEscapes() async {
    await expectNoLeaks { Task.detached(name: "escapes") { await Request().load() } }
  }

  // Without the second check's tasks, whose object leaks, the first would be over.
  @Test func tasksOfAnObjectCheck() async {
    await expectNoLeaks {
      await expectDeallocated { () -> Forwarder in
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
