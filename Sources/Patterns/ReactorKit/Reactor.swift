/// Turns actions into mutations and mutations into states, apart from any view.
///
/// After ReactorKit, as document 001 prints it, without its stub. Whoever conforms stores a
/// `deathHook`, by which the tables behind this protocol know when the reactor has gone.
public protocol Reactor: WeakMapKey {
  /// What a user does.
  associatedtype Action
  /// What that changes.
  associatedtype Mutation = Action
  /// What a view shows.
  associatedtype State

  /// The state before the first action.
  var initialState: State { get }

  /// Combines the actions with other observables; called once.
  func transform(action: Observable<Action>) -> Observable<Action>
  /// Turns an action into mutations; the place for side effects.
  func mutate(action: Action) -> Observable<Mutation>
  /// Combines the mutations with other observables; called once.
  func transform(mutation: Observable<Mutation>) -> Observable<Mutation>
  /// The state after a mutation.
  func reduce(state: State, mutation: Mutation) -> State
  /// Changes the stream of states; called once.
  func transform(state: Observable<State>) -> Observable<State>

  /// Makes the stream behind ``state``; a requirement, so that a study can put in another.
  func createStateStream() -> Observable<State>
}

extension Reactor {
  /// Takes the user's actions; makes the stream of states, if nobody has asked for that yet.
  public var action: PublishSubject<Action> {
    _ = state
    return actionSubject
  }

  /// The actions, without making the stream of states.
  public var actionSubject: PublishSubject<Action> {
    MapTables.action.forceCastedValue(forKey: self, default: PublishSubject<Action>())
  }

  /// The stream of states, made on first use.
  public var state: Observable<State> {
    MapTables.state.forceCastedValue(forKey: self, default: self.createStateStream())
  }

  /// The state that was sent last.
  public var currentState: State {
    get { MapTables.currentState.forceCastedValue(forKey: self, default: self.initialState) }
    set { MapTables.currentState.setValue(newValue, forKey: self) }
  }

  /// Where events are passed on.
  public var scheduler: CurrentThreadScheduler { .instance }

  private var disposeBag: DisposeBag {
    MapTables.disposeBag.value(forKey: self, default: DisposeBag())
  }

  public func createStateStream() -> Observable<State> {
    let mutation = self.transform(action: self.actionSubject.observe(on: self.scheduler))
      .flatMap { [weak self] action -> Observable<Mutation> in
        guard let self else { return .empty() }
        return self.mutate(action: action).catch { _ in .empty() }
      }
    let state = self.transform(mutation: mutation)
      .scan(self.initialState) { [weak self] state, mutation -> State in
        guard let self else { return state }
        return self.reduce(state: state, mutation: mutation)
      }
      .catch { _ in .empty() }
      .startWith(self.initialState)
    let transformedState = self.transform(state: state)
      .do(onNext: { [weak self] state in self?.currentState = state })
      .replay(1)
    transformedState.connect().disposed(by: self.disposeBag)
    return transformedState
  }

  public func transform(action: Observable<Action>) -> Observable<Action> { action }
  public func mutate(action: Action) -> Observable<Mutation> { .empty() }
  public func transform(mutation: Observable<Mutation>) -> Observable<Mutation> { mutation }
  public func reduce(state: State, mutation: Mutation) -> State { state }
  public func transform(state: Observable<State>) -> Observable<State> { state }
}

extension Reactor where Action == Mutation {
  public func mutate(action: Action) -> Observable<Mutation> { .just(action) }
}

private enum MapTables {
  static let action = WeakMapTable<AnyObject>()
  static let currentState = WeakMapTable<Any>()
  static let state = WeakMapTable<AnyObject>()
  static let disposeBag = WeakMapTable<DisposeBag>()
}

extension WeakMapTable {
  /// The value of a key as the type that was put in.
  fileprivate func forceCastedValue<Wanted>(
    forKey key: some WeakMapKey, default makeValue: @autoclosure () -> Wanted
  ) -> Wanted {
    value(forKey: key, default: makeValue() as! Value) as! Wanted
  }
}
