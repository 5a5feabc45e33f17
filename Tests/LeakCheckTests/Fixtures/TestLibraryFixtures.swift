import LeakCheck
import Testing

/// Leaks of every size. Some of them lie where something was that the library which runs tests has
/// used, and that dead variables of its suspended functions still have the address of.
@Suite("Leftovers of the test library", .enabled(if: Fixture.isOn)) struct TestLibraryFixtures {
  @Test func leaksOfEverySize() async {
    await expectNoLeaks(within: .seconds(20)) {
      for size in stride(from: 64, to: 1024, by: 16) {
        for _ in 0..<3 { leak(size: size) }
      }
    }
  }

  private func leak(size: Int) {
    let ring = Ring.create(minimumCapacity: size) { _ in nil }
    ring.header = watch(ring)
  }
}

private final class Ring: ManagedBuffer<AnyObject?, UInt8> {}
