import LeakCheck
import MemoryLeakCheck
import Testing

struct BothTests {
  @Test func pipes() { #expect(Pipes().drops == 0) }

  @Test func clean() async { await expectNoLeaks { watch(Node()) } }

  // Whom the library's own functions are counted among is told by their module's name.
  @Test func leak() async {
    await expectLeaks([.task("parked"), .object(of: Node.self, heldBy: "park")]) {
      let node = watch(Node())
      Task(name: "parked") { await park(node) }
    }
  }
}

private final class Node: Sendable {}

@inline(never) private func park(_ node: Node) async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  withExtendedLifetime(node) {}
}
