// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/FlatMapOwnMethod.swift; renewed by 'make record'.

extension Listing {
  static let flatMapOwnMethodListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/FlatMapOwnMethod.swift", line: 79,
      code: #"""
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
      """#),
  ]
}
