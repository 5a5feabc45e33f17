import Foundation
import MemlabCLI
import MemlabKit
import MemlabTerminalText
import MemlabWitness

/// memlab with other scenarios: the broadcaster in `Patterns` beside swift-async-algorithms.
///
/// Without the second witness: it would report the libraries' own tasks, which nobody has probed.
@main enum Main {
  static func main() {
    let session = Session(App(scenarios: Peers.scenarios, heap: NoHeap.self))
    exit(Memlab(session: session).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}

private enum NoHeap: ProcessHeap {
  static var isPart: Bool { RealHeap.isPart }
  static var diagnoses: [Diagnosis] { RealHeap.diagnoses }
  static func checkTable() -> RuntimeTableReport { RealHeap.checkTable() }
  static func witness() throws(HeapUnreadable) -> any HeapWitness {
    throw HeapUnreadable(reason: "the libraries' own tasks have no probes")
  }
}
