// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/WhoOwnsWhom/StoredClosure.swift; renewed by 'make record'.

extension Listing {
  static let storedClosureListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/WhoOwnsWhom/StoredClosure.swift", line: 40,
      code: #"""
      final class Countdown {
        private(set) var count = 0
        var onTick: (() -> Void)?
        private let probe = Probe(Countdown.self)

        func start() {
          onTick = { self.count += 1 }
        }

        func stop() {
          onTick = nil
        }
      }
      """#),
  ]
}
