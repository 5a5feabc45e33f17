import Foundation
import MemlabCLI
import MemlabFull
import MemlabKit
import MemlabScenarios
import MemlabTerminalText
import MemlabWitness

/// A memlab with scenarios that are hard to report on, that never come to rest, or that crash.
///
/// The first word may name others: ``Main/sets``. With `shuffled` and a number, it has the whole
/// catalog, in the random order of that seed; with `recorded` and a path, scenarios whose results are
/// recorded there. With `together` it measures all endings in one process.
@main enum Main {
  private static let sets = [
    "crashing": [Crash.scenario], "restless": [Standstill.restless, Refusal.scenario],
    "main": [MainThread.scenario, MainThread.waiting],
    "spoiling": [Spoiler.scenario, Spoiler.counter, Spoiler.newcomer],
    "changing": [Spoiler.vandal], "early": [Early.scenario],
    "hostile": [Hostile.scenario], "hostile-crash": [Hostile.crashing],
  ]

  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    var session = Session(
      App(
        scenarios: [Namesakes.scenario, Standstill.scenario, Crash.scenario, Unnamed.scenario],
        heap: RealHeap.self, commands: Commands.full))
    session.standstillLimit = .seconds(2)
    session.isolates = true
    session.scheduler = { name throws(SchedulerError) in
      name == .pool ? PoolScheduler(deadline: .seconds(1)) : try SchedulerName.make(name)
    }
    if words.first == "together" {
      words.removeFirst()
      session.isolates = false
    }
    if let scenarios = words.first.flatMap({ sets[$0] }) {
      words.removeFirst()
      session.app.scenarios = scenarios
    } else if words.first == "shuffled" {
      var luck = SplitMix64(seed: UInt64(words[1]) ?? 0)
      words.removeFirst(2)
      session.app.scenarios = Catalog.scenarios.shuffled(using: &luck)
    } else if words.first == "recorded" {
      session.app.expectedFile = ExpectedFile(words[1], besideSource: nil)
      words.removeFirst(2)
      session.app.scenarios = [Refusal.recorded]
    }
    exit(Memlab(session: session).run(words).rawValue)
  }
}
