import Foundation
import MemlabCLI
import MemlabScenarios
import MemlabTerminalText

/// memlab as it is, but for `import Combine`, which is OpenCombine here.
@main enum Main {
  static func main() {
    let session = Session(App(scenarios: Catalog.scenarios.map(\.overOpenCombine)))
    exit(Memlab(session: session).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
