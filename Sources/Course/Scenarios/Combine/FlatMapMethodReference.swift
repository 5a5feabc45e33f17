import MemlabKit

extension Scenario {
  private static let endings = LoaderEndings(
    saving: FlatMapMethodReference.ModelLoader<Article>.init)

  /// `flatmap-method-reference`: flatMap takes the database's method.
  static let flatMapMethodReference = Scenario(
    id: "flatmap-method-reference", title: "flatMap takes the database's method",
    document: .combineMemory, place: "its fifth loader", lesson: "04-combine-and-its-cancellables",
    question: "No closure is left at all. What does database.store hold?",
    hint: "A method needs its object. When is the object looked up: when load() runs, or when the "
      + "answer comes?",
    beliefs: [
      .cycle("A method reference holds its object, and people assume that the object is self.")
    ], next: "flatmap-own-method",
    endings: [
      endings.complete(
        expects: .savingLoader(.clean, loaded: 1, sets: 2, saves: (1, 0)),
        explanation: "database.store is evaluated when load() runs, and holds the database. The "
          + "counts are the same as with the closure that captures [database]."
      )
      .claiming(
        "its signature matches exactly what flatMap expects here",
        original: "因为它的签名完全匹配flatMap在这个上下文中期望的闭包"
      ) { $0.metric("savesStarted") == 1 && $0.metric("loaded") == 1 },
      endings.drop(
        expects: .savingLoader(.clean, loaded: 0, sets: 1, requests: (0, 1)),
        explanation: "Nothing in the pipeline holds the loader."
      )
      .claiming(
        "it is best to avoid capturing self, and to call objects that can be stored instead",
        original: "最好避免在组合操作符中捕获self,而调用其他可以存储并作为属性直接传递给各种操作符的对象"
      ) { $0.object("ModelLoader<Article>").alive + $0.object("Database").alive == 0 },
      endings.saving(
        expects: .savingLoader(.clean, loaded: 0, sets: 1, saves: (1, 1)),
        explanation: "As before, the open save is cancelled."),
    ])
}

/// The document's fifth loader.
enum FlatMapMethodReference {
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
        .flatMap(database.store)
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
