// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/FlatMapWeakSelf.swift; renewed by 'make record'.

extension Listing {
  static let flatMapWeakSelfListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/FlatMapWeakSelf.swift", line: 78,
      code: #"""
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
      """#),
  ]
}
