import MemlabKit

extension Scenario {
  /// `polling-weak-self`: a loop that polls, and sleeps in between.
  static let pollingWeakSelf = Scenario(
    id: "polling-weak-self", title: "a loop that polls, and sleeps in between",
    document: .pollingTasks, place: "ImageLoader, rebuilt", lesson: "08-leaks-people-had",
    question: "A loop polls once a second. The loader is dropped during a sleep. What is "
      + "deinitialised, and when?",
    hint: "A loop that polls sleeps nearly all the time. What does it hold during the sleep?",
    beliefs: [
      .nobody("The variable is gone, and the loop sleeps."),
      .global("People assume that the clock holds what it is going to wake."),
    ], next: "abandoned-continuation",
    endings: [
      Ending(
        "strong", "the loop uses self",
        expects: .one(
          .leak, ["Loader": .task("poll")], finished: ["poll": 0], metrics: ["aliveAsleep": 1]),
        explanation: "The loop never ends, and its task holds the loader, even if the loader does "
          + "not store the task.",
        run: { try play($0) { $0.pollStrongly(by: $1) } }
      )
      .claiming(
        "self owns the task and the task holds self: they keep each other alive",
        original:
          "If self owns the task (directly or indirectly), and the task holds on to self, they "
          + "keep each other alive—creating a retain cycle.",
        failsBecause: "the references form a cycle, but a sleeping task is a root: it would hold "
          + "self even if self did not store it"
      ) { ($0.cycles ?? 0) > 0 },
      Ending(
        "while-let", "the loop says while let self",
        expects: .one(.clean, ["Loader": nil], finished: ["poll": 1], metrics: ["aliveAsleep": 1]),
        explanation: "self becomes strong at the start of each turn, and the turn includes the "
          + "sleep. The loader is deinitialised when the turn ends: with a sleep of an hour, "
          + "after up to an hour.",
        run: { try play($0) { $0.pollWhileLet(by: $1) } }),
      Ending(
        "scoped", "the loop releases self before it sleeps",
        expects: .one(.clean, ["Loader": nil], finished: ["poll": 1], metrics: ["aliveAsleep": 0]),
        explanation: "Nothing holds the loader during the sleep, so it is deinitialised when it "
          + "is dropped. The loop finds that out when it wakes.",
        run: { try play($0) { $0.pollScoped(by: $1) } }),
    ])

  private static func play(
    _ lab: Lab, _ start: (PollingWeakSelf.Loader, HandTurnedClock) -> Void
  ) throws {
    let (ledger, clock) = (lab.ledger, HandTurnedClock())
    @Variable("loader") var loader: PollingWeakSelf.Loader?
    try lab.step("a loader is created and polls", until: ledger.noted("sleeps", 1)) {
      loader = made(.init()) { start($0, clock) }
    }
    try lab.step("a second passes", until: ledger.noted("sleeps", 2)) { clock.turn() }
    try lab.release("the loader is dropped") { loader = nil }
    ledger.setMetric("aliveAsleep", ledger.totals.object("Loader").alive)
    try lab.release("another second passes") { clock.turn() }
  }
}

/// Three ways to poll once a second.
enum PollingWeakSelf {
  /// Loads once a second.
  final class Loader {
    private var task: Task<Void, Never>?
    private let probe = Probe(Loader.self)

    // snippet:code
    func pollStrongly(by clock: HandTurnedClock) {
      task = Task(probe: "poll") {
        while true {
          self.poll()
          try? await Task.sleep(for: .seconds(1), clock: clock)
        }
      }
    }

    func pollWhileLet(by clock: HandTurnedClock) {
      task = Task(probe: "poll") { [weak self] in
        while let self {
          self.poll()
          try? await Task.sleep(for: .seconds(1), clock: clock)
        }
      }
    }

    func pollScoped(by clock: HandTurnedClock) {
      task = Task(probe: "poll") { [weak self] in
        while self?.poll() != nil {
          try? await Task.sleep(for: .seconds(1), clock: clock)
        }
      }
    }
    // snippet:end

    private func poll() { Ledger.current?.note("polled") }
  }
}
