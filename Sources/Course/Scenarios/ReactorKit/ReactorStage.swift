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
    try lab.step("three actions are sent") { for _ in 0..<3 { reactor?.action.onNext(.load) } }
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
    .several(
      verdict,
      [
        "CounterReactor": (1, reactor), "State": states, "Call": (3, calls),
        "DisposeBag": bag.map { (1, $0) },
      ],
      metrics: ["bagsBeforeState": 0, "disposablesInBag": bag == nil ? 0 : 1, "streamsMade": 1])
  }
}

/// The types of the reactors under study.
enum CounterScreen {
  /// What a user does.
  enum Action { case load }

  /// What an action changes.
  enum Mutation { case loaded(Int) }

  /// What a view shows. It is a class, so that it can be counted.
  final class State {
    /// The number that the screen shows.
    let total: Int
    private let probe = Probe(State.self)

    /// A state with this number.
    init(total: Int) { self.total = total }
  }
}

/// A reactor whose endings are measured.
protocol CounterReactorUnderStudy: Reactor
where
  Action == CounterScreen.Action, Mutation == CounterScreen.Mutation, State == CounterScreen.State
{
  /// A reactor that calls this API.
  init(api: CounterAPI)
  /// How many disposables its dispose bag holds.
  var disposablesInBag: Int { get }
}

extension CounterReactorUnderStudy {
  /// Adds what the API answered.
  func reduce(state: CounterScreen.State, mutation: CounterScreen.Mutation) -> CounterScreen.State {
    switch mutation {
    case .loaded(let amount): CounterScreen.State(total: state.total + amount)
    }
  }

  /// The states unchanged. ReactorKit calls this once for each stream, so it counts the streams.
  func transform(state: Observable<CounterScreen.State>) -> Observable<CounterScreen.State> {
    Ledger.current?.note("stream made")
    return state
  }
}

/// What the reactors under study have besides what they differ in.
class CountingReactor {
  /// The state before the first action.
  final let initialState = CounterScreen.State(total: 0)
  /// Tells the tables when this object is deinitialised.
  final let deathHook = DeathHook()
  /// What it calls.
  final let api: CounterAPI
  private var probe: Probe?

  /// A reactor that calls this API.
  required init(api: CounterAPI) {
    self.api = api
    probe = Probe(type(of: self))
  }
}

/// A server that answers when the stage tells it to.
final class CounterAPI {
  /// An open call.
  final class Call {
    /// Receives the answer.
    let observer: AnyObserver<Int>
    private let probe = Probe(Call.self)

    /// An open call for this observer.
    init(_ observer: AnyObserver<Int>) { self.observer = observer }
  }

  private var calls: [Call] = []

  /// Starts a call for each subscription, and cancels it when the subscription is disposed of.
  func load() -> Observable<Int> {
    .create { observer in
      let call = Call(observer)
      self.calls.append(call)
      return Disposables.create { self.calls.removeAll { $0 === call } }
    }
  }

  /// Answers every call with 1.
  func answer() {
    for call in calls {
      call.observer.onNext(1)
      call.observer.onCompleted()
    }
  }
}
