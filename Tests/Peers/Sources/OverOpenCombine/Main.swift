import Foundation
import MemlabCLI
import MemlabScenarios
import MemlabTerminalText
import MemlabWitness

/// memlab as it is, but for `import Combine`, which is OpenCombine here.
@main enum Main {
  static func main() {
    let session = Session(
      App(scenarios: Catalog.scenarios.map(\.overOpenCombine), heap: RealHeap.self))
    exit(Memlab(session: session).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
