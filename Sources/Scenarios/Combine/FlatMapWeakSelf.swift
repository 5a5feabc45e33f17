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
  private static let endings = LoaderEndings(usesDisk: true) { url, session, decoder, world in
    FlatMapWeakSelf.ModelLoader<Article>(
      url: url, session: session, decoder: decoder, database: Database(disk: world.disk))
  }

  static let flatMapWeakSelf = Scenario(
    id: "flatmap-weak-self",
    title: "weak self on the way to the database",
    document: .combineMemory,
    place: "its third loader",
    lesson: "04-combine-and-its-cancellables",
    question: "Does the guard ever return Empty?",
    hint: "When self is gone, who still holds the pipeline that would run the closure?",
    next: "flatmap-captured-database",
    endings: [
      endings.complete(
        expects: .savingLoader(.clean, deinitialized: 1, loaded: 1, sets: 2, saves: (1, 0)),
        explanation: "self is there, the guard passes, the save is made.",
        claims: [
          Claim(
            "a weak reference to self gives access to the database instance",
            original: "为了能够在flatMap这样的操作符中访问该数据库实例,我们可以再次捕获self的弱引用"
          ) { $0.metric("savesStarted") == 1 && $0.metric("loaded") == 1 }
        ]),
      endings.late(
        expects: .savingLoader(.clean, deinitialized: 1, loaded: 0, sets: 1, requests: (0, 1)),
        explanation: "The loader took its cancellable with it, so the answer finds no pipeline and "
          + "the closure does not run. As long as self owns the cancellable, Empty is for a "
          + "race between two threads and for nothing else."),
      endings.saving(
        expects: .savingLoader(.clean, deinitialized: 1, loaded: 0, sets: 1, saves: (1, 1)),
        explanation: "Dropping the loader cancels the save that it has begun. Nothing leaks, and "
          + "the article may not be on the disk."),
    ])
}

/// The document's third loader.
enum FlatMapWeakSelf {
  class ModelLoader<Model: Decodable>: ObservableObject {
    enum State {
      case idle
      case loading
      case loaded(Stored<Model>)
      case failed(Error)
    }

    @Published private(set) var state = State.idle

    private let url: URL
    private let session: URLSession
    private let decoder: JSONDecoder
    private let database: Database
    private var cancellable: AnyCancellable?
    private let probe = Probe(ModelLoader.self)

    init(url: URL, session: URLSession, decoder: JSONDecoder, database: Database) {
      self.url = url
      self.session = session
      self.decoder = decoder
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

extension FlatMapWeakSelf.ModelLoader: LoaderUnderStudy {
  var isLoaded: Bool { if case .loaded = state { true } else { false } }
}
