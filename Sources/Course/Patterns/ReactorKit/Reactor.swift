/// Turns actions into mutations and mutations into states, separately from any view.
///
/// After ReactorKit, as “[ReactorKit] Reactor도 disposeBag이 있을까?” by 사과먹는사람 prints it, without its
/// stub. A conforming type stores a `deathHook`, which tells the tables behind this protocol when
/// the reactor is deinitialised.
public protocol Reactor: WeakMapKey {
  /// What a user does.
  associatedtype Action
  /// What an action changes.
  associatedtype Mutation = Action
  /// What a view shows.
  associatedtype State

  /// The state before the first action.
  var initialState: State { get }

  /// Combines the actions with other observables. Called once.
  func transform(action: Observable<Action>) -> Observable<Action>
  /// Turns an action into mutations. Side effects belong here.
  func mutate(action: Action) -> Observable<Mutation>
  /// Combines the mutations with other observables. Called once.
  func transform(mutation: Observable<Mutation>) -> Observable<Mutation>
  /// The state after a mutation.
  func reduce(state: State, mutation: Mutation) -> State
  /// Changes the stream of states. Called once.
  func transform(state: Observable<State>) -> Observable<State>

  /// Makes the stream behind ``state``. It is a requirement, so that a study can replace it.
  func createStateStream() -> Observable<State>
}

extension Reactor {
  /// Receives the user's actions. First use makes the stream of states.
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

  /// The last state that was sent.
  public var currentState: State {
    get { MapTables.currentState.forceCastedValue(forKey: self, default: self.initialState) }
    set { MapTables.currentState.setValue(newValue, forKey: self) }
  }

  /// The scheduler that delivers events.
  public var scheduler: CurrentThreadScheduler { .instance }

  private var disposeBag: DisposeBag {
    MapTables.disposeBag.value(forKey: self, default: DisposeBag())
  }

  /// The stream as ReactorKit makes it; it disposes of its connection through the reactor's bag.
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

  /// The actions unchanged.
  public func transform(action: Observable<Action>) -> Observable<Action> { action }
  /// No mutation.
  public func mutate(action: Action) -> Observable<Mutation> { .empty() }
  /// The mutations unchanged.
  public func transform(mutation: Observable<Mutation>) -> Observable<Mutation> { mutation }
  /// The state unchanged.
  public func reduce(state: State, mutation: Mutation) -> State { state }
  /// The states unchanged.
  public func transform(state: Observable<State>) -> Observable<State> { state }
}

extension Reactor where Action == Mutation {
  /// Where actions are mutations, each is its own.
  public func mutate(action: Action) -> Observable<Mutation> { .just(action) }
}

private enum MapTables {
  static let action = WeakMapTable<AnyObject>()
  static let currentState = WeakMapTable<Any>()
  static let state = WeakMapTable<AnyObject>()
  static let disposeBag = WeakMapTable<DisposeBag>()
}

extension WeakMapTable {
  /// The value of a key, with the type that was stored.
  fileprivate func forceCastedValue<Wanted>(
    forKey key: some WeakMapKey, default makeValue: @autoclosure () -> Wanted
  ) -> Wanted { value(forKey: key, default: makeValue() as! Value) as! Wanted }
}
