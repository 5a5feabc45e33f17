// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/AssignOnSelf.swift; renewed by 'make record'.

extension Listing {
  static let assignOnSelfListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/AssignOnSelf.swift", line: 54,
      code: #"""
      func start() {
        cancellable = Timer.publish(
          every: 1,
          on: .main,
          in: .default
        )
        .autoconnect()
        .map(\.timeIntervalSince1970)
        .assign(to: \.time, on: self)
      }
      """#),
  ]
}
