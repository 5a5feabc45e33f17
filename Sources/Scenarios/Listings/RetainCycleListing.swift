// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/WhoOwnsWhom/RetainCycle.swift; renewed by 'make record'.

extension Listing {
  static let retainCycleListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/WhoOwnsWhom/RetainCycle.swift", line: 36,
      code: #"""
      final class Planet {
        var moon: Moon?
        private let probe = Probe(Planet.self)
      }

      final class Moon {
        var planet: Planet?
        private let probe = Probe(Moon.self)

        init(of planet: Planet) { self.planet = planet }
      }
      """#),
  ]
}
