import MemlabKit
import Patterns

/// What the reactors under study deal in.
enum CounterScreen {
  /// What a user does.
  enum Action { case load }

  /// What that changes.
  enum Mutation { case loaded(Int) }

  /// What a view shows; a class, so that it can be counted.
  final class State {
    let total: Int
    private let probe = Probe(State.self)

    init(total: Int) { self.total = total }
  }
}

/// A reactor that the endings of document 001 can be played on.
protocol CounterReactorUnderStudy: Reactor
where
  Action == CounterScreen.Action, Mutation == CounterScreen.Mutation, State == CounterScreen.State
{
  init(api: CounterAPI)
  /// How many disposables its dispose bag holds.
  var disposablesInBag: Int { get }
}

extension CounterReactorUnderStudy {
  func reduce(state: CounterScreen.State, mutation: CounterScreen.Mutation) -> CounterScreen.State {
    switch mutation {
    case .loaded(let amount): CounterScreen.State(total: state.total + amount)
    }
  }

  // ReactorKit calls this once for each stream.
  func transform(state: Observable<CounterScreen.State>) -> Observable<CounterScreen.State> {
    Ledger.current?.note("stream made")
    return state
  }
}

/// A server that answers when it is told to.
final class CounterAPI {
  /// A call that is under way.
  final class Call {
    let observer: AnyObserver<Int>
    private let probe = Probe(Call.self)

    init(_ observer: AnyObserver<Int>) { self.observer = observer }
  }

  private var calls: [Call] = []

  /// Starts a call for each subscription, and takes it back when that is disposed of.
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
