// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/ReactorKit/ReactorDisposeBag.swift; renewed by 'make record'.

extension Listing {
  static let reactorDisposeBagListing: [Listing] = [
    Listing(
      "mutate", path: "Sources/Scenarios/ReactorKit/ReactorDisposeBag.swift", line: 96,
      code: #"""
      func mutate(action: CounterScreen.Action) -> Observable<CounterScreen.Mutation> {
        api.load().map { .loaded($0) }
      }
      """#),
    Listing(
      "code", path: "Sources/Scenarios/ReactorKit/ReactorDisposeBag.swift", line: 114,
      code: #"""
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
      """#),
  ]
}
