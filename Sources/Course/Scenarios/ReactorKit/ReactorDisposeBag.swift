import MemlabKit
import MemlabPatterns

extension Scenario {
  /// `reactor-dispose-bag`: the connection goes with its reactor.
  static let reactorDisposeBag = Scenario(
    id: "reactor-dispose-bag", title: "the connection goes with its reactor",
    document: .reactorDisposeBag, place: "createStateStream", lesson: "05-reactors-and-weak-tables",
    question: "How many disposables are in the reactor's bag when it is dropped?",
    hint: "The listing calls disposed(by:) once. What does flatMap do with its inner "
      + "subscriptions when the outer one is disposed of?",
    beliefs: [.global("The bag is in a static table, and not in the reactor.")],
    next: "reactor-dropped-connection",
    endings: [
      Ending(
        "answered", "the calls are answered, then view and reactor are dropped",
        expects: .reactor(.clean, reactor: 1, bag: 1, states: (4, 4), calls: 3),
        explanation: "The reactor is deinitialised. Its hook removes the bag from the table, the "
          + "bag disposes of the connection, and the stream that held the last state is released.",
        on: ReactorStage<ReactorDisposeBag.CounterReactor>.init
      ) { [$0.open, $0.load, $0.answer, $0.close, $0.dropAPI] }
      .claiming("a reactor has a dispose bag", original: "Reactor는 disposeBag을 가진다") {
        $0.object("DisposeBag").created == 1
      }
      .claiming(
        "it is when state is accessed that disposables come into the bag",
        original: "disposeBag에 실제로 Disposable들이 담기는 시점은 state에 접근하는 시점으로 볼 수 있다"
      ) { $0.metric("bagsBeforeState") == 0 && $0.metric("disposablesInBag") == 1 }
      .claiming(
        "what the reactor's tables hold is released with the reactor",
        original: "Reactor가 deinit되면 함께 할당 해제된다"
      ) { $0.object("State").alive == 0 && $0.object("DisposeBag").alive == 0 }
      .claiming(
        "createStateStream() is called each time that state is accessed",
        original: "그래도 호출은 매번 하는 셈이다",
        failsBecause: "the default is an autoclosure, which is not called if the table has a "
          + "value: state and action were accessed four times, and one stream was made"
      ) { $0.metric("streamsMade") > 1 },
      Ending(
        "in-flight", "view and reactor are dropped while three calls are under way",
        expects: .reactor(.clean, reactor: 1, bag: 1, states: (1, 1), calls: 3),
        explanation: "The bag holds one disposable, the connection. Disposing of the connection "
          + "disposes of flatMap's inner subscriptions, and that cancels the calls.",
        on: ReactorStage<ReactorDisposeBag.CounterReactor>.init
      ) { [$0.open, $0.load, $0.close, $0.dropAPI] }
      .claiming(
        "the reactor goes and the bag with it; the bag goes and the disposables with it",
        original: "Reactor가 사라지면 DisposeBag도 함께 사라지고, DisposeBag이 사라지면서 Disposable들도 같이 소멸되는 것이다"
      ) { $0.object("DisposeBag").alive == 0 && $0.object("Call").alive == 0 }
      .claiming(
        "the observables that mutate makes are put into the bag as well, are they not?",
        original:
          "mutate 함수 등에서 생성하는 다른 API 콜 결과의 Observable들은 이 과정에 포함되어 함께 State로 퉁쳐져(?) disposeBag에 "
          + "담기는 것 아닐까",
        failsBecause: "three calls are under way and one disposable is in the bag; the calls "
          + "belong to flatMap, whose subscription is a part of the connection"
      ) { $0.metric("disposablesInBag") > 1 }
      .asking(
        "Three calls are under way when the reactor is dropped. How many disposables are in its "
          + "bag, and what happens to the calls?"),
    ])
}

/// The document's listings, with a bag that is counted.
enum ReactorDisposeBag {
  /// A dispose bag that is counted.
  final class DisposeBag: MemlabPatterns.DisposeBag {
    private let probe = Probe(DisposeBag.self)
  }

  fileprivate enum MapTables {
    static let disposeBag = WeakMapTable<DisposeBag>()
  }

  /// A reactor that counts with the help of an API.
  final class CounterReactor: CountingReactor, PrintedReactor {
    // snippet:mutate
    func mutate(action: CounterScreen.Action) -> Observable<CounterScreen.Mutation> {
      api.load().map { .loaded($0) }
    }
    // snippet:end
  }
}

/// A reactor whose stream of states is made by the document's `createStateStream`.
protocol PrintedReactor: CounterReactorUnderStudy {}

// snippet:code
extension PrintedReactor {
  fileprivate var disposeBag: ReactorDisposeBag.DisposeBag {
    return ReactorDisposeBag.MapTables.disposeBag.value(forKey: self, default: .init())
  }

  public func createStateStream() -> Observable<State> {
    let action = self.actionSubject.observe(on: self.scheduler)
    let transformedAction = self.transform(action: action)
    let mutation =
      transformedAction
      .flatMap { [weak self] action -> Observable<Mutation> in
        guard let `self` = self else { return .empty() }
        return self.mutate(action: action).catch { _ in .empty() }
      }
    let transformedMutation = self.transform(mutation: mutation)
    let state =
      transformedMutation
      .scan(self.initialState) { [weak self] state, mutation -> State in
        guard let `self` = self else { return state }
        return self.reduce(state: state, mutation: mutation)
      }
      .catch { _ in .empty() }
      .startWith(self.initialState)
    let transformedState = self.transform(state: state)
      .do(onNext: { [weak self] state in
        self?.currentState = state
      })
      .replay(1)
    transformedState.connect().disposed(by: self.disposeBag)
    return transformedState
  }
}
// snippet:end

extension PrintedReactor {
  /// How many disposables its bag holds.
  var disposablesInBag: Int { disposeBag.count }
}
