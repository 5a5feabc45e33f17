import MemlabKit

extension Scenario {
  private static let endings = PlanetEndings(
    of: UnownedBackReference.Moon.self, make: { UnownedBackReference.Planet() },
    hang: { $0.moon = $1 })

  static let unownedBackReference = Scenario(
    id: "unowned-back-reference",
    title: "the way back is unowned",
    document: .automaticReferenceCounting,
    place: "unowned references",
    lesson: "01-who-owns-whom",
    question: "The way back is unowned. Which of the two objects is deinitialised?",
    hint: "Unowned does not count either. What it promises is about who goes first.",
    next: "stored-closure",
    endings: [
      endings.drop(
        expects: .planet(.clean, planets: 1, moons: 1),
        explanation: "Unowned does not count either: the planet goes, and its moon with it. There "
          + "is no nil to check for, because the moon is not meant to outlive its planet."),
      endings.outlive(
        expects: .planet(.clean, planets: 1, moons: 1),
        explanation: "The planet is deinitialised while the moon still refers to it. That alone "
          + "is harmless; to read the moon's planet now would end the program. Unowned is a "
          + "promise of yours, and the runtime holds you to it."
      )
      .asking("The moon is kept, and the planet's variable goes. Is the planet deinitialised?"),
    ])
}

/// What is owned knows its owner, and promises to go first.
enum UnownedBackReference {
  // snippet:code
  final class Planet {
    var moon: Moon?
    private let probe = Probe(Planet.self)
  }

  final class Moon {
    unowned let planet: Planet
    private let probe = Probe(Moon.self)

    init(of planet: Planet) { self.planet = planet }
  }
  // snippet:end
}

extension UnownedBackReference.Moon: MoonUnderStudy {}
