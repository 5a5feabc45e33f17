import LeakCheck
import Testing

/// What a global variable keeps while nothing runs that could empty it: every one of them leaks.
@Suite("Kept", .enabled(if: Fixture.isOn), .serialized) struct KeptFixtures {
  @Test func byGlobal() async {
    await expectNoLeaks { Registry.shared.entries.append(watch(Clock())) }
    Registry.shared.entries = []
  }

  @Test func byClosureOfGlobal() async {
    await expectNoLeaks {
      let clock = watch(Clock())
      Handlers.all.append { clock.time += 1 }
    }
    Handlers.all = []
  }

  @Test func expectedToBeDeallocated() async {
    await expectDeallocated { () -> Clock in
      let clock = Clock()
      Registry.shared.entries.append(clock)
      return clock
    }
    Registry.shared.entries = []
  }

  @Test func waitsAsLongAsItIsTold() async {
    await expectNoLeaks(patience: .milliseconds(700)) {
      Registry.shared.entries.append(watch(Clock()))
    }
    Registry.shared.entries = []
  }

  @Test(arguments: 0..<50) func fifty(number: Int) async {
    await expectNoLeaks { Registry.shared.entries.append(watch(Clock())) }
  }
}

/// Keeps closures forever.
enum Handlers {
  nonisolated(unsafe) static var all: [() -> Void] = []
}
