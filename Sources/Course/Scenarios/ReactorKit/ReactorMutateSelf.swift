import MemlabKit
import MemlabPatterns

extension Scenario {
  /// `reactor-mutate-self`: what mutate returns captures self.
  static let reactorMutateSelf = Scenario(
    id: "reactor-mutate-self", title: "what mutate returns captures self",
    document: .reactorDisposeBag, place: "the question at its end",
    lesson: "05-reactors-and-weak-tables",
    question: "createStateStream captures [weak self] everywhere. mutate's own closure captures "
      + "self strongly. The reactor is dropped while a call is under way. Is it deinitialised?",
    hint: "A static table holds the bag. Follow the references from there: connection, flatMap, "
      + "call, closure.",
    beliefs: [
      .nobody("createStateStream captures self weakly everywhere."),
      .task("A call is under way, and people call that a task."),
    ], fixedBy: "reactor-dispose-bag",
    endings: [
      Ending(
        "in-flight", "view and reactor are dropped while three calls are under way",
        expects: .reactor(.leak, reactor: 0, bag: 0, states: (1, 0), calls: 0)
          .with(held: [
            "CounterReactor": .table, "State": .table, "Call": .table, "DisposeBag": .table,
          ]),
        explanation: "The table holds the bag, the bag holds the connection, the connection holds "
          + "flatMap's inner subscriptions, and these hold the closure with the reactor. In a "
          + "weak table, a value that holds its key keeps itself alive.",
        on: ReactorStage<ReactorMutateSelf.CounterReactor>.init
      ) { [$0.open, $0.load, $0.close, $0.dropAPI] }
      .claiming(
        "the reactor goes and the bag with it; the bag goes and the disposables with it",
        original: "Reactor가 사라지면 DisposeBag도 함께 사라지고, DisposeBag이 사라지면서 Disposable들도 같이 소멸되는 것이다",
        failsBecause: "the bag's content holds the reactor while a call is under way"
      ) { $0.object("DisposeBag").alive == 0 && $0.object("Call").alive == 0 },
      Ending(
        "late-answer", "the calls are answered when view and reactor have been dropped",
        expects: .reactor(.clean, reactor: 1, bag: 1, states: (4, 4), calls: 3),
        explanation: "Each answer ends its call, and flatMap releases it. The last one releases "
          + "the reactor, which was dropped long before and has kept reducing until now.",
        on: ReactorStage<ReactorMutateSelf.CounterReactor>.init
      ) { [$0.open, $0.load, $0.close, $0.answer, $0.dropAPI] },
    ])
}

/// The document's stream of states, with a `mutate` as it is often written.
enum ReactorMutateSelf {
  /// A reactor that counts with the help of an API.
  final class CounterReactor: CountingReactor, PrintedReactor {
    // snippet:code
    func mutate(action: CounterScreen.Action) -> Observable<CounterScreen.Mutation> {
      api.load().map { self.mutation(for: $0) }
    }
    // snippet:end

    private func mutation(for amount: Int) -> CounterScreen.Mutation { .loaded(amount) }
  }
}

extension DeclaredHolder {
  fileprivate static let table = anyOf(.aGlobal, .aCycle, .olderMemory)
}
