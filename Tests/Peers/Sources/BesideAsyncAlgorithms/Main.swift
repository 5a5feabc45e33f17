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
    let app = App(scenarios: Peers.scenarios, heap: RealHeap.self)
    let session = Session(app) { _ throws(HeapUnreadable) in
      throw HeapUnreadable(reason: "the libraries' own tasks have no probes")
    }
    exit(Memlab(session: session).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
