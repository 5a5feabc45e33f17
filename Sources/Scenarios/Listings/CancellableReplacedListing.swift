// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/CancellableReplaced.swift; renewed by 'make record'.

extension Listing {
  static let cancellableReplacedListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/CancellableReplaced.swift", line: 74,
      code: #"""
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
      """#),
  ]
}
