import MemlabKit
import Patterns

extension Scenario {
  static let reactorMutateSelf = Scenario(
    id: "reactor-mutate-self",
    title: "what mutate returns captures self",
    document: .reactorDisposeBag,
    place: "the question at its end",
    lesson: "05-reactors-and-weak-tables",
    question: "createStateStream says [weak self] everywhere. mutate's own closure says self. The "
      + "reactor is dropped while a call is under way: does it go?",
    hint: "A static table holds the bag. Follow the arrows from there: connection, flatMap, call, "
      + "closure.",
    fixedBy: "reactor-dispose-bag",
    endings: [
      Ending(
        "in-flight", "view and reactor are dropped while three calls are under way",
        expects: .reactor(.leak, reactor: 0, bag: 0, states: (1, 0), calls: 0)
          .with(held: [
            "CounterReactor": .anyOf(.aGlobal, .aCycle, .olderMemory),
            "State": .anyOf(.aGlobal, .aCycle, .olderMemory),
            "Call": .anyOf(.aGlobal, .aCycle, .olderMemory),
            "DisposeBag": .anyOf(.aGlobal, .aCycle, .olderMemory),
          ]),
        explanation: "The table holds the bag, the bag the connection, the connection flatMap's "
          + "inner subscriptions, and those the closure with the reactor. A value that holds its "
          + "key keeps itself in a weak table.",
        claims: [
          Claim(
            "the reactor goes and the bag with it; the bag goes and the disposables with it",
            original: "Reactor가 사라지면 DisposeBag도 함께 사라지고, "
              + "DisposeBag이 사라지면서 Disposable들도 같이 소멸되는 것이다",
            .fails(because: "the bag's content holds the reactor while a call is under way")
          ) { $0.object("DisposeBag").alive == 0 && $0.object("Call").alive == 0 }
        ]
      ) { lab in
        let stage = ReactorStage<ReactorMutateSelf.CounterReactor>(lab)
        try stage.open()
        try stage.load()
        try stage.close()
        try stage.dropAPI()
      },
      Ending(
        "late-answer", "the calls are answered when view and reactor have been dropped",
        expects: .reactor(.clean, reactor: 1, bag: 1, states: (4, 4), calls: 3),
        explanation: "Each answer ends its call, and flatMap lets go of it. The last one lets go "
          + "of the reactor: dropped long ago, it has lived, and reduced, until now."
      ) { lab in
        let stage = ReactorStage<ReactorMutateSelf.CounterReactor>(lab)
        try stage.open()
        try stage.load()
        try stage.close()
        try stage.answer()
        try stage.dropAPI()
      },
    ])
}

/// The document's stream of states, with a `mutate` as it is often written.
enum ReactorMutateSelf {
  final class CounterReactor: PrintedReactor {
    // snippet:code
    func mutate(action: CounterScreen.Action) -> Observable<CounterScreen.Mutation> {
      api.load().map { self.mutation(for: $0) }
    }
    // snippet:end

    let initialState = CounterScreen.State(total: 0)
    let deathHook = DeathHook()
    private let api: CounterAPI
    private let probe = Probe(CounterReactor.self)

    init(api: CounterAPI) { self.api = api }

    private func mutation(for amount: Int) -> CounterScreen.Mutation { .loaded(amount) }
  }
}
