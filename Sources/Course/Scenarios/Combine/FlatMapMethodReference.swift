import MemlabKit
import MemlabPlatform

extension Scenario {
  private static let endings = LoaderEndings(saving: {
    FlatMapMethodReference.ModelLoader<Article>(url: $0, session: $1, decoder: $2, database: $3)
  })

  /// `flatmap-method-reference`: flatMap takes the database's method.
  static let flatMapMethodReference = Scenario(
    id: "flatmap-method-reference", title: "flatMap takes the database's method",
    document: .combineMemory, place: "its fifth loader", lesson: "04-combine-and-its-cancellables",
    question: "No closure is left at all. What does database.store hold?",
    hint: "A method needs its object. When is the object looked up: when load() runs, or when the "
      + "answer comes?",
    beliefs: [
      Belief(
        .cycle,
        because: "A method reference holds its object, and people assume that the object is self.")
    ],
    next: "flatmap-own-method",
    endings: [
      endings.complete(
        expects: .savingLoader(.clean, deinitialized: 1, loaded: 1, sets: 2, saves: (1, 0)),
        explanation: "database.store is evaluated when load() runs, and holds the database. The "
          + "counts are the same as with the closure that captures [database].",
        claims: [
          Claim(
            "its signature matches exactly what flatMap expects here",
            original: "因为它的签名完全匹配flatMap在这个上下文中期望的闭包"
          ) { $0.metric("savesStarted") == 1 && $0.metric("loaded") == 1 }
        ]),
      endings.drop(
        expects: .savingLoader(.clean, deinitialized: 1, loaded: 0, sets: 1, requests: (0, 1)),
        explanation: "Nothing in the pipeline holds the loader.",
        claims: [
          Claim(
            "it is best to avoid capturing self, and to call objects that can be stored instead",
            original: "最好避免在组合操作符中捕获self,而调用其他可以存储并作为属性直接传递给各种操作符的对象"
          ) { $0.object("ModelLoader<Article>").alive + $0.object("Database").alive == 0 }
        ]),
      endings.saving(
        expects: .savingLoader(.clean, deinitialized: 1, loaded: 0, sets: 1, saves: (1, 1)),
        explanation: "As before, the open save is cancelled."),
    ])
}

/// The document's fifth loader.
enum FlatMapMethodReference {
  /// Loads a model from a URL.
  class ModelLoader<Model: Decodable>: ObservableObject {
    /// What the loader shows.
    enum State {
      /// Nothing was loaded yet, or the request is open.
      case idle, loading
      /// The model that was loaded.
      case loaded(Stored<Model>)
      /// The error that ended the load.
      case failed(Error)
    }

    /// The state that it publishes.
    @Published private(set) var state = State.idle

    private let url: URL
    private let session: URLSession
    private let decoder: JSONDecoder
    private let database: Database
    private var cancellable: AnyCancellable?
    private let probe = Probe(ModelLoader.self)

    /// A loader that has not loaded yet.
    init(url: URL, session: URLSession, decoder: JSONDecoder, database: Database) {
      (self.url, self.session, self.decoder) = (url, session, decoder)
      self.database = database
    }

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

extension FlatMapMethodReference.ModelLoader: LoaderUnderStudy {
  /// Whether its state is `loaded`.
  var isLoaded: Bool { if case .loaded = state { true } else { false } }
}
