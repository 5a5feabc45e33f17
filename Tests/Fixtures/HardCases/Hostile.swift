import MemlabKit
import MemlabPlatform

/// A scenario in which all that has a name has the same one, which a test gives in `HOSTILE_NAME`.
enum Hostile {
  private static let name = ProcessInfo.processInfo.environment["HOSTILE_NAME"] ?? ""

  // The second name has U+202E in it, which turns the direction of what follows.
  private final class Thing { private let probe = Probe(Thing.self) }
  private final class `Turned‮` { private let probe = Probe(`Turned‮`.self) }

  static let scenario = Scenario(
    id: "hostile", title: name, document: Document(file: name, title: name), place: name,
    question: name, hint: name,
    endings: [
      ending("declared", as: .leak), ending(name, as: .clean),
    ])

  static let crashing = Scenario.hardCase(
    "crashing", name, step: name, [name: { print([1][Int(getpid())]) }])

  private static func ending(_ ending: String, as verdict: Verdict) -> Ending {
    Ending(
      ending, name,
      expects: Declaration(
        verdict, tasks: [TaskCount(name.shown(), started: 1, finished: 1)],
        metrics: [Metric(rawValue: name): 2]),
      explanation: name
    ) { lab in
      @Variable(name) var thing: Thing?
      try lab.step(name) {
        thing = Thing()
        let other = `Turned‮`()
        Task(probe: name) {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          withExtendedLifetime(other) {}
        }
        Ledger.current?.note(name)
        Ledger.current?.setMetric(Metric(rawValue: name), 1)
      }
    }
  }
}
