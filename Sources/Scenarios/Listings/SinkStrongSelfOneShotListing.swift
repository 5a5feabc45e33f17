// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/SinkStrongSelfOneShot.swift; renewed by 'make record'.

extension Listing {
  static let sinkStrongSelfOneShotListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/SinkStrongSelfOneShot.swift", line: 84,
      code: #"""
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
      """#),
  ]
}
