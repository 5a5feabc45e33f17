import MemlabKit

extension Scenario {
  private static let endings = LoaderEndings(
    saving: FlatMapCapturedDatabase.ModelLoader<Article>.init)

  /// `flatmap-captured-database`: flatMap captures the database.
  static let flatMapCapturedDatabase = Scenario(
    id: "flatmap-captured-database", title: "flatMap captures the database",
    document: .combineMemory, place: "its fourth loader", lesson: "04-combine-and-its-cancellables",
    question: "The closure now holds the database strongly. Does anything stay alive because of "
      + "that?",
    hint: "Does the database hold the loader, or the pipeline?",
    beliefs: [.cycle("The closure holds the database strongly, and the loader does, too.")],
    next: "flatmap-method-reference",
    endings: [
      endings.complete(
        expects: .savingLoader(.clean, loaded: 1, sets: 2, saves: (1, 0)),
        explanation: "A strong reference leaks only if it is part of a cycle, or belongs to "
          + "something that never ends. The database refers to no other object."
      )
      .claiming(
        "no optional has to be dealt with, and flatMap can simply call the database's store",
        original: "这样,我们不必处理任何可选的,现在可以简单地在flatMap闭包中调用数据库的store方法"
      ) { $0.metric("savesStarted") == 1 && $0.metric("loaded") == 1 },
      endings.drop(
        expects: .savingLoader(.clean, loaded: 0, sets: 1, requests: (0, 1)),
        explanation: "The loader is deinitialised. That releases its cancellable, the pipeline, "
          + "and the closure, which held the last reference to the database."
      )
      .claiming(
        "all we have to do is to capture the database property, not self",
        original: "我们所要做的就是直接捕获数据库属性,而不是捕获self"
      ) { $0.object("ModelLoader<Article>").alive + $0.object("Database").alive == 0 },
      endings.saving(
        expects: .savingLoader(.clean, loaded: 0, sets: 1, saves: (1, 1)),
        explanation: "As before, the open save is cancelled."),
    ])
}

/// The document's fourth loader.
enum FlatMapCapturedDatabase {
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
        .flatMap { [database] model in
          database.store(model)
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
