import MemlabKit
import MemlabPlatform

extension Scenario {
  private static let endings = LoaderEndings(CancellableReplaced.ModelLoader<Article>.init)

  /// `cancellable-replaced`: a new cancellable replaces the old.
  static let cancellableReplaced = Scenario(
    id: "cancellable-replaced", title: "a new cancellable replaces the old",
    document: .combineMemory, place: "its first loader", lesson: "04-combine-and-its-cancellables",
    question: "load() is called twice in a row. How many requests were open at the same time?",
    hint: "In cancellable = …, what is done first: the right side or the release of the old value?",
    beliefs: [.global("The first request was still open when the second one was sent.")],
    next: "weak-assign",
    endings: [
      endings.shared("complete", "the second load completes, then the loader is dropped") {
        [$0.load, $0.loadAgain, $0.answer, $0.dropLoader]
      }(
        expects: .loader(
          .clean, loaded: 1, sets: 3, cancelled: 1, metrics: ["mostRequestsOpen": 2]),
        explanation: "The assignment releases the old AnyCancellable, which cancels its request. "
          + "But the new request is sent first: Swift evaluates the right side before it releases "
          + "the old value."
      )
      .claiming(
        "the loader cancels an earlier load when a new one is triggered",
        original: "我们的加载器可以在触发新的数据加载管道时自动取消任何以前的数据加载管道"
      ) { $0.metric("requestsCancelled") == 1 }
      .claiming(
        "when the property's value is replaced, the AnyCancellable assigned before is released",
        original: "当属性的值被替换时,任何先前分配的AnyCancellable实例将被重新分配"
      ) { $0.metric("requestsOpen") == 0 && $0.metric("loaded") == 1 }
      .asking(
        "load() is called twice before the server answers. How many requests are answered, and "
          + "how many were open at the same time?"),
      endings.shared("drop", "the loader is dropped during the second load") {
        [$0.load, $0.loadAgain, $0.dropLoader]
      }(
        expects: .loader(
          .clean, loaded: 0, sets: 2, cancelled: 2, metrics: ["mostRequestsOpen": 2]),
        explanation: "The first request was cancelled by the second, the second by the drop."),
    ])
}

/// The document's first loader.
enum CancellableReplaced {
  // snippet:code
  class ModelLoader<Model: Decodable>: ObservableObject {
    enum State {
      case idle
      case loading
      case loaded(Model)
      case failed(Error)
    }

    @Published private(set) var state = State.idle

    private let url: URL
    private let session: URLSession
    private let decoder: JSONDecoder
    private var cancellable: AnyCancellable?
    private let probe = Probe(ModelLoader.self)

    init(url: URL, session: URLSession, decoder: JSONDecoder) {
      self.url = url
      self.session = session
      self.decoder = decoder
    }

    func load() {
      state = .loading
      cancellable =
        session
        .dataTaskPublisher(for: url)
        .map(\.data)
        .decode(type: Model.self, decoder: decoder)
        .map(State.loaded)
        .catch { error in
          Just(.failed(error))
        }
        .receive(on: DispatchQueue.main)
        .sink { [weak self] state in
          self?.state = state
        }
    }
  }
  // snippet:end
}

extension CancellableReplaced.ModelLoader: LoaderUnderStudy {
  /// Whether its state is `loaded`.
  var isLoaded: Bool { if case .loaded = state { true } else { false } }
}
