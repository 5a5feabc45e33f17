import MemlabCLI
import MemlabKit
import Scenarios
import TerminalText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A memlab with scenarios that are hard to report on, that never come to rest, or that crash.
///
/// With the first word `crashing` it has only the scenario that crashes, with `spoiling` only those
/// that spoil their process and one that notices it, with `restless` only one that goes on after its
/// ending and one that throws. With `shuffled` and a number, it has the whole
/// catalog, in the random order of that seed. With `together` it measures all
/// endings in one process.
@main
enum Main {
  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    var session = Session(
      App(scenarios: [Namesakes.scenario, Standstill.scenario, Crash.scenario, Unnamed.scenario]))
    session.standstillLimit = .seconds(2)
    session.isolates = true
    session.scheduler = { name throws(SchedulerError) in
      name == .pool ? PoolScheduler(deadline: .seconds(1)) : try SchedulerName.make(name)
    }
    if words.first == "together" {
      words.removeFirst()
      session.isolates = false
    }
    switch words.first {
    case "crashing":
      words.removeFirst()
      session.scenarios = [Crash.scenario]
    case "restless":
      words.removeFirst()
      session.scenarios = [Standstill.restless, Refusal.scenario]
    case "spoiling":
      words.removeFirst()
      session.scenarios = [Spoiler.scenario, Spoiler.counter, Spoiler.newcomer]
    case "shuffled":
      var luck = SplitMix64(seed: UInt64(words[1]) ?? 0)
      words.removeFirst(2)
      session.scenarios = Catalog.scenarios.shuffled(using: &luck)
    default: break
    }
    exit(Memlab(session: session).run(words).rawValue)
  }
}
