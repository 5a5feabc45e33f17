import MemlabKit

#if canImport(Combine)
  import Combine
#else
  import Patterns
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Scenario {
  private static let endings = LoaderEndings { url, session, decoder, _ in
    SinkStrongSelfOneShot.ModelLoader<Article>(url: url, session: session, decoder: decoder)
  }

  static let sinkStrongSelfOneShot = Scenario(
    id: "sink-strong-self-one-shot",
    title: "the same cycle around a request",
    document: .combineMemory,
    place: "its first loader, without weak",
    lesson: "04-combine-and-its-cancellables",
    question: "The loader holds the cancellable and the sink holds the loader, as in the first "
      + "clock. Is it a leak?",
    hint: "How long does a request last, compared with a timer?",
    fixedBy: "cancellable-replaced",
    endings: [
      endings.complete(
        expects: .loader(.clean, deinitialized: 1, loaded: 1, sets: 2),
        explanation: "A sink lets go of its closures when its publisher completes. The cycle is "
          + "over before the loader is dropped."),
      endings.drop(
        expects: .loader(.leak, deinitialized: 0, loaded: 0, sets: 1, open: 1)
          .with(held: ["ModelLoader<Article>": .field("state", of: "Sink")]),
        explanation: "While the request is open the cycle is closed, and the dropped loader goes "
          + "on loading for nobody. With a server that never answers it stays for good.",
        claims: [
          Claim(
            "the subscription can stay active longer than expected",
            original: "如果一个可取消的对象没有被正确地释放,那么订阅活动的时间可能会比预期的更长"
          ) { $0.metric("requestsOpen") == 1 }
        ]),
      endings.late(
        expects: .loader(.clean, deinitialized: 1, loaded: 0, sets: 2),
        explanation: "The answer completes the pipeline and so cuts the cycle: the loader goes "
          + "when the server answers. Not a leak, but a life longer than anybody asked for.",
        claims: [
          Claim(
            "capturing self strongly in the wrong place usually still leads to a cycle",
            original: "在错误的位置捕获对self的强引用通常仍然会导致一个循环引用",
            .fails(because: "a source that completes cuts the cycle by itself")
          ) { $0.object("ModelLoader<Article>").alive == 1 }
        ]),
    ])
}

/// The document's first loader with the mistake of its first clock.
enum SinkStrongSelfOneShot {
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
  var isLoaded: Bool { if case .loaded = state { true } else { false } }
}
