// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/WhoOwnsWhom/StoredClosureWeak.swift; renewed by 'make record'.

extension Listing {
  static let storedClosureWeakListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/WhoOwnsWhom/StoredClosureWeak.swift", line: 39,
      code: #"""
      final class Countdown {
        private(set) var count = 0
        var onTick: (() -> Void)?
        private let probe = Probe(Countdown.self)

        func start() {
          onTick = { [weak self] in self?.count += 1 }
        }

        func stop() {
          onTick = nil
        }
      }
      """#),
  ]
}
