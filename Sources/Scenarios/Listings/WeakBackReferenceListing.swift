// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/WhoOwnsWhom/WeakBackReference.swift; renewed by 'make record'.

extension Listing {
  static let weakBackReferenceListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/WhoOwnsWhom/WeakBackReference.swift", line: 37,
      code: #"""
      final class Planet {
        var moon: Moon?
        private let probe = Probe(Planet.self)
      }

      final class Moon {
        weak var planet: Planet?
        private let probe = Probe(Moon.self)

        init(of planet: Planet) { self.planet = planet }
      }
      """#),
  ]
}
