import Exercises
import HeapGraph
import LeakCheck
import MemoryLeakCheck
import Patterns
import RuntimeABI
import Scenarios
import TerminalText
import TestSupport
import Testing

struct BothTests {
  @Test func pipes() { #expect(Pipes().drops == 0) }

  @Test func roomsOfMemlab() {
    let own = [
      Exercises.module, HeapGraph.module, Patterns.module, RuntimeABI.module, Scenarios.module,
      TerminalText.module, TestSupport.module,
    ]
    let names = "Exercises HeapGraph Patterns RuntimeABI Scenarios TerminalText TestSupport"
    #expect(own.joined(separator: " ") == names)
  }

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
