import LeakCheck
import Testing

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
    await expectLeaks([.object(of: Clock.self, heldBy: holder)]) {
      let clock = watch(Clock())
      clock.partner = clock
    }
  }

  @Test(arguments: ["forwarder", "start()", "start"]) func heldByTask(holder: String) async {
    await expectLeaks([.task("forwarder"), .object(of: Forwarder.self, heldBy: holder)]) {
      watch(Forwarder()).start()
    }
  }

  @Test(.leaks(.task("forwarder"), .object(of: Forwarder.self, heldBy: "forwarder")))
  func ofATrait() { watch(Forwarder()).start() }

  @Test func gone() async {
    await expectLeaks([
      .task("forwarder"), .object(of: Forwarder.self, heldBy: "forwarder"),
    ]) {
      let forwarder = watch(Forwarder())
      forwarder.start()
      forwarder.stop()
    }
  }

  @Test func moved() async {
    await expectLeaks([.object(of: Clock.self, heldBy: "Registry.shared")]) {
      let clock = watch(Clock())
      clock.partner = clock
    }
  }

  @Test func notAlone() async {
    await expectLeaks([.task("forwarder")]) { watch(Forwarder()).start() }
  }
}
