import Foundation
import MemlabCLI
import MemlabFull
import MemlabKit
import MemlabTerminalText
import MemlabWitness

/// A memlab whose only scenario lies to the ledger: an object gives its probe away while it lives,
/// or a task is made without one. In a third ending, it does not declare who holds what is left.
@main enum Main {
  final class Liar {
    var probe: Probe?

    init() { probe = Probe(Liar.self) }
  }

  nonisolated(unsafe) static var kept: Liar?

  static func main() {
    let session = Session(
      App(scenarios: [scenario], heap: RealHeap.self, commands: Commands.full))
    exit(Memlab(session: session).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static let scenario = Scenario(
    id: "liar", title: "a liar", document: Document(file: "none.txt", title: "None"),
    endings: [
      Ending("object", "an object counts as dead", expects: .nothing, explanation: "-") { lab in
        try lab.step("the object gives its probe away") {
          kept = Liar()
          kept?.probe = nil
        }
      },
      Ending("task", "a task is not counted", expects: .nothing, explanation: "-") { lab in
        try lab.step("a task waits forever") {
          Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        }
      },
      Ending(
        "holder", "it is not said who holds an object",
        expects: Declaration(.leak, objects: [ObjectCount("Liar", created: 1, deinitialized: 0)]),
        explanation: "-"
      ) { lab in try lab.step("the object is kept") { kept = Liar() } },
    ])
}
