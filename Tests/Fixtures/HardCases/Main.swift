import MemlabCLI
import MemlabKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A memlab with scenarios that are hard to report on, that never come to rest, or that crash.
///
/// With the first word `crashing` it has none but the scenario that crashes. With `blind` the second
/// witness never sees its planted task wait, as on a runtime that keeps a task's state elsewhere. With
/// `by` and a file, that program measures the scenarios of a report.
@main
enum Main {
  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    var session = Session(
      scenarios: [Namesakes.scenario, Standstill.scenario, Crash.scenario])
    session.patience = .seconds(2)
    session.scheduler = { name throws(SchedulerError) in
      name == .pool ? PoolScheduler(deadline: .seconds(1)) : try SchedulerName.make(name)
    }
    if words.first == "blind" {
      words.removeFirst()
      session.witness = { _ throws(HeapUnreadable) in
        try HeapWitness(provedOn: Idle(), patience: .milliseconds(100))
      }
    }
    if words.first == "crashing" {
      words.removeFirst()
      session.scenarios = [Crash.scenario]
    }
    if words.first == "by" {
      session.program = words[1]
      words.removeFirst(2)
    }
    exit(Memlab(session: session).run(words).rawValue)
  }
}

/// A scheduler that runs nothing.
struct Idle: Scheduler {
  let name = "idle"
  let isFirstInFirstOut = true

  func settle(_ ledger: Ledger, until condition: (@Sendable () -> Bool)?) throws(SchedulerError) {}
}
