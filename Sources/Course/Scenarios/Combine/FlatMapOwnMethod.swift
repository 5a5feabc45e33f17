import MemlabKit

extension Scenario {
  private static let endings = LoaderEndings(saving: FlatMapOwnMethod.ModelLoader<Article>.init)

  /// `flatmap-own-method`: flatMap is given a method of self.
  static let flatMapOwnMethod = Scenario(
    id: "flatmap-own-method", title: "flatMap is given a method of self", document: .combineMemory,
    place: "after its fifth loader", lesson: "04-combine-and-its-cancellables",
    question: "flatMap(store) in place of flatMap(database.store). Which objects are left when the "
      + "loader is dropped?",
    hint: "Write out what the compiler adds in front of store.",
    beliefs: [.nobody("There is no closure and no self in the code.")],
    next: "sink-strong-self-one-shot", fixedBy: "flatmap-method-reference",
    endings: [
      endings.drop(
        expects: .savingLoader(
          .leak, heldBy: .field("transform", of: "FlatMapInner"), loaded: 0, sets: 1,
          requests: (1, 0)),
        explanation: "store means self.store, a method that holds its object. The loader holds "
          + "the cancellable, which holds the pipeline, which holds the method, which holds the "
          + "loader. There is no closure, no capture list and no warning."
      )
      .claiming(
        "capturing self strongly in the wrong place usually still leads to a cycle",
        original: "在错误的位置捕获对self的强引用通常仍然会导致一个循环引用"
      ) { $0.object("ModelLoader<Article>").alive == 1 },
      endings.complete(
        expects: .savingLoader(.clean, loaded: 1, sets: 2, saves: (1, 0)),
        explanation: "Completion releases the pipeline, and that breaks the cycle."),
    ])
}

/// The document's fifth loader, with saving moved into its own method.
enum FlatMapOwnMethod {
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
        .flatMap(store)
        .map(State.loaded)
        .catch { error in
          Just(.failed(error))
        }
        .receive(on: DispatchQueue.main)
        .weakAssign(to: \.state, on: self)
    }

    private func store(_ model: Model) -> AnyPublisher<Stored<Model>, Error> {
      database.store(model)
    }
    // snippet:end
  }
}
