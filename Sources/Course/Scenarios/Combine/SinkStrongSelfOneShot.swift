import MemlabKit
import MemlabPlatform

extension Scenario {
  private static let endings = LoaderEndings(SinkStrongSelfOneShot.ModelLoader<Article>.init)

  /// `sink-strong-self-one-shot`: the same cycle around a request.
  static let sinkStrongSelfOneShot = Scenario(
    id: "sink-strong-self-one-shot", title: "the same cycle around a request",
    document: .combineMemory, place: "its first loader, without weak",
    lesson: "04-combine-and-its-cancellables",
    question: "The loader holds the cancellable and the sink holds the loader, as in the first "
      + "clock. Is it a leak?",
    hint: "How long does a request last, compared with a timer?",
    beliefs: [.nobody("A request ends by itself, and its subscription with it.")],
    fixedBy: "cancellable-replaced",
    endings: [
      endings.complete(
        expects: .loader(.clean, loaded: 1, sets: 2),
        explanation: "A sink releases its closures when its publisher completes. The cycle is "
          + "gone before the loader is dropped."),
      endings.drop(
        expects: .loader(.leak, heldBy: .field("state", of: "Sink"), loaded: 0, sets: 1, open: 1),
        explanation: "While the request is open there is a cycle, and the dropped loader keeps "
          + "loading for nobody. If the server never answers, the loader stays forever."
      )
      .claiming(
        "the subscription can stay active longer than expected",
        original: "如果一个可取消的对象没有被正确地释放,那么订阅活动的时间可能会比预期的更长"
      ) { $0.metric("requestsOpen") == 1 },
      endings.late(
        expects: .loader(.clean, loaded: 0, sets: 2),
        explanation: "The answer completes the pipeline, which cuts the cycle. The loader is "
          + "deinitialised when the server answers: not a leak, but a longer life than anyone "
          + "wanted."
      )
      .claiming(
        "capturing self strongly in the wrong place usually still leads to a cycle",
        original: "在错误的位置捕获对self的强引用通常仍然会导致一个循环引用",
        failsBecause: "a source that completes cuts the cycle by itself"
      ) { $0.object("ModelLoader<Article>").alive == 1 },
    ])
}

/// The document's first loader, with the mistake of its first clock.
enum SinkStrongSelfOneShot {
  /// Loads a model from a URL.
  class ModelLoader<Model: Decodable>: ObservableObject {
    /// What the loader shows.
    enum State {
      /// Nothing was loaded yet, or the request is open.
      case idle, loading
      /// The model that was loaded.
      case loaded(Model)
      /// The error that ended the load.
      case failed(Error)
    }

    /// The state that it publishes.
    @Published private(set) var state = State.idle

    private let url: URL
    private let session: URLSession
    private let decoder: JSONDecoder
    private var cancellable: AnyCancellable?
    private let probe = Probe(ModelLoader.self)

    /// A loader that has not loaded yet.
    init(url: URL, session: URLSession, decoder: JSONDecoder) {
      (self.url, self.session, self.decoder) = (url, session, decoder)
    }

    // snippet:code
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
        .sink { state in
          self.state = state
        }
    }
    // snippet:end
  }
}

extension SinkStrongSelfOneShot.ModelLoader: LoaderUnderStudy {
  /// Whether its state is `loaded`.
  var isLoaded: Bool { if case .loaded = state { true } else { false } }
}
