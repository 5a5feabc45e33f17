import MemlabKit
import MemlabPatterns

/// Holds the objects of the reactor scenarios from outside, and runs the steps of their endings.
///
/// Rx is synchronous here: a step is over when its action returns.
final class ReactorStage<UnderStudy: CounterReactorUnderStudy> {
  private let lab: Lab
  @Variable("api") private var api: CounterAPI? = CounterAPI()
  @Variable("reactor") private var reactor: UnderStudy?
  @Variable("viewBag") private var viewBag: DisposeBag?

  /// An empty stage.
  init(_ lab: Lab) { self.lab = lab }

  /// Creates a reactor, and binds a view to its state as a screen does.
  func open() throws {
    try lab.step("the reactor is created") { reactor = api.map(UnderStudy.init(api:)) }
    lab.ledger.setMetric("bagsBeforeState", lab.ledger.totals.object("DisposeBag").created)
    try lab.step("a view binds to its state") {
      let bag = DisposeBag()
      reactor?.state.subscribe { _ in Ledger.current?.note("view updated") }.disposed(by: bag)
      viewBag = bag
    }
  }

  /// Sends three actions, each of which makes a call.
  func load() throws {
    try lab.step("three actions are sent") {
      for _ in 0..<3 { reactor?.action.onNext(.load) }
    }
    lab.ledger.setMetric("disposablesInBag", reactor?.disposablesInBag ?? 0)
    lab.ledger.setMetric("streamsMade", lab.ledger.notes(of: "stream made"))
  }

  /// Answers the open calls.
  func answer() throws { try lab.step("the calls are answered") { api?.answer() } }

  /// Drops the view and the reactor.
  func close() throws {
    try lab.release("the view is dropped") { viewBag = nil }
    try lab.release("the reactor is dropped") { reactor = nil }
  }

  /// Drops the API, which only the stage holds.
  func dropAPI() throws { try lab.release("the API is dropped") { api = nil } }
}

extension Declaration {
  /// The counts of one reactor, the states that it created and the three calls that it started.
  ///
  /// - Parameters:
  ///   - bag: how many dispose bags are deinitialised; nil if none is created.
  ///   - states: how many states are created, and how many are deinitialised.
  static func reactor(
    _ verdict: Verdict, reactor: Int, bag: Int?, states: (created: Int, gone: Int), calls: Int
  ) -> Declaration {
    Declaration(
      verdict,
      objects: [
        ObjectCount("CounterReactor", created: 1, deinitialized: reactor),
        ObjectCount("State", created: states.created, deinitialized: states.gone),
        ObjectCount("Call", created: 3, deinitialized: calls),
      ] + (bag.map { [ObjectCount("DisposeBag", created: 1, deinitialized: $0)] } ?? []),
      metrics: ["bagsBeforeState": 0, "disposablesInBag": bag == nil ? 0 : 1, "streamsMade": 1])
  }
}
