// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/FlatMapCapturedDatabase.swift; renewed by 'make record'.

extension Listing {
  static let flatMapCapturedDatabaseListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/FlatMapCapturedDatabase.swift", line: 84,
      code: #"""
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
      """#),
  ]
}
