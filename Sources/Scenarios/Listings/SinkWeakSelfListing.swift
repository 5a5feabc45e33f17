// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/SinkWeakSelf.swift; renewed by 'make record'.

extension Listing {
  static let sinkWeakSelfListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/SinkWeakSelf.swift", line: 58,
      code: #"""
      func start() {
        cancellable = Timer.publish(
          every: 1,
          on: .main,
          in: .default
        )
        .autoconnect()
        .map(\.timeIntervalSince1970)
        .sink { [weak self] time in
          self?.time = time
        }
      }
      """#),
  ]
}
