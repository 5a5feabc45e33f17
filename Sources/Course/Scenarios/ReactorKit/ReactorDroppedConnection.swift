import MemlabKit
import MemlabPatterns

extension Scenario {
  /// `reactor-dropped-connection`: connect()'s result is thrown away.
  static let reactorDroppedConnection = Scenario(
    id: "reactor-dropped-connection", title: "connect()'s result is thrown away",
    document: .reactorDisposeBag, place: "without .disposed(by:)",
    lesson: "05-reactors-and-weak-tables",
    question: "The Disposable of connect() is thrown away. All closures capture [weak self]. What "
      + "is left when the reactor is deinitialised?",
    hint: "Dropping a Disposable ends nothing. Who could still end this connection?",
    beliefs: [
      .nobody("All closures capture self weakly."),
      .task("The calls are still under way when the reactor is dropped."),
    ], next: "reactor-mutate-self", fixedBy: "reactor-dispose-bag",
    endings: [
      Ending(
        "answered", "the calls are answered, then view and reactor are dropped",
        expects: .reactor(.leak, reactor: 1, bag: nil, states: (4, 3), calls: 3)
          .with(held: ["State": .aCycle]),
        explanation: "The reactor is deinitialised, but the connection is not. A subscription "
          + "keeps itself alive until it ends or is disposed of, and it holds the state that "
          + "replay(1) keeps.",
        on: ReactorStage<ReactorDroppedConnection.CounterReactor>.init
      ) { [$0.open, $0.load, $0.answer, $0.close, $0.dropAPI] },
      Ending(
        "in-flight", "view and reactor are dropped while three calls are under way",
        expects: .reactor(.leak, reactor: 1, bag: nil, states: (1, 0), calls: 0)
          .with(held: ["State": .aCycle, "Call": .aCycle]),
        explanation: "The reactor is deinitialised, and nothing cancels the calls. Their answers "
          + "will be reduced for nobody.",
        on: ReactorStage<ReactorDroppedConnection.CounterReactor>.init
      ) { [$0.open, $0.load, $0.close, $0.dropAPI] }
      .claiming(
        "that is the reason why there is a dispose bag in the reactor",
        original: "이게 Reactor 안에 DisposeBag이 있는 이유다"
      ) { $0.object("CounterReactor").alive == 0 && $0.object("Call").alive == 3 },
    ])
}

/// The document's `createStateStream` without its last step.
enum ReactorDroppedConnection {
  /// A reactor that counts with the help of an API.
  final class CounterReactor: CountingReactor, CounterReactorUnderStudy {
    /// It has no bag.
    let disposablesInBag = 0

    /// Calls the API for each action.
    func mutate(action: CounterScreen.Action) -> Observable<CounterScreen.Mutation> {
      api.load().map { .loaded($0) }
    }

    // snippet:code
    func createStateStream() -> Observable<State> {
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
      _ = transformedState.connect()
      return transformedState
    }
    // snippet:end
  }
}
