import MemlabKit
import MemlabPatterns

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
