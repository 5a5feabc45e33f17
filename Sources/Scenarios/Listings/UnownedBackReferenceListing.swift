// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/WhoOwnsWhom/UnownedBackReference.swift; renewed by 'make record'.

extension Listing {
  static let unownedBackReferenceListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/WhoOwnsWhom/UnownedBackReference.swift", line: 35,
      code: #"""
      final class Planet {
        var moon: Moon?
        private let probe = Probe(Planet.self)
      }

      final class Moon {
        unowned let planet: Planet
        private let probe = Probe(Moon.self)

        init(of planet: Planet) { self.planet = planet }
      }
      """#),
  ]
}
