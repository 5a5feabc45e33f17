import MemlabKit

extension Scenario {
  private static let endings = LoaderEndings(saving: FlatMapWeakSelf.ModelLoader<Article>.init)

  /// `flatmap-weak-self`: weak self on the way to the database.
  static let flatMapWeakSelf = Scenario(
    id: "flatmap-weak-self", title: "weak self on the way to the database",
    document: .combineMemory, place: "its third loader", lesson: "04-combine-and-its-cancellables",
    question: "Does the guard ever return Empty?",
    hint: "When self is deinitialised, who still holds the pipeline that would run the closure?",
    beliefs: [.cycle("Two closures use self in a pipeline that self stores.")],
    next: "flatmap-captured-database",
    endings: [
      endings.complete(
        expects: .savingLoader(.clean, loaded: 1, sets: 2, saves: (1, 0)),
        explanation: "self is not nil, so the guard passes and the article is saved."
      )
      .claiming(
        "a weak reference to self gives access to the database instance",
        original: "为了能够在flatMap这样的操作符中访问该数据库实例,我们可以再次捕获self的弱引用"
      ) { $0.metric("savesStarted") == 1 && $0.metric("loaded") == 1 },
      endings.late(
        expects: .savingLoader(.clean, loaded: 0, sets: 1, requests: (0, 1)),
        explanation: "The loader's cancellable was deinitialised with it, so the pipeline is gone "
          + "and the closure does not run. As long as self owns the cancellable, the guard "
          + "returns Empty only in a race between two threads."),
      endings.saving(
        expects: .savingLoader(.clean, loaded: 0, sets: 1, saves: (1, 1)),
        explanation: "Dropping the loader cancels its open save. Nothing leaks, but the article "
          + "may not be on the disk."),
    ])
}

/// The document's third loader.
enum FlatMapWeakSelf {
  /// Loads a model from a URL.
  final class ModelLoader<Model: Decodable>: SavingLoader<Model>, LoaderUnderStudy {
    // snippet:code
    func load() {
      state = .loading

      cancellable =
        session
        .dataTaskPublisher(for: url)
        .map(\.data)
        .decode(type: Model.self, decoder: decoder)
        .flatMap {
          [weak self] model -> AnyPublisher<Stored<Model>, Error> in

          guard let database = self?.database else {
            return Empty(completeImmediately: true)
              .eraseToAnyPublisher()
          }

          return database.store(model)
        }
        .map(State.loaded)
        .catch { error in
          Just(.failed(error))
        }
        .receive(on: DispatchQueue.main)
        .weakAssign(to: \.state, on: self)
    }
    // snippet:end
  }
}
