// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/FlatMapMethodReference.swift; renewed by 'make record'.

extension Listing {
  static let flatMapMethodReferenceListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/FlatMapMethodReference.swift", line: 83,
      code: #"""
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
      """#),
  ]
}
