import MemlabKit

extension Scenario {
  private static let endings = PlanetEndings<UnownedBackReference.Moon>(
    make: { UnownedBackReference.Planet() }, hang: { $0.moon = $1 })

  /// `unowned-back-reference`: the way back is unowned.
  static let unownedBackReference = Scenario(
    id: "unowned-back-reference", title: "the way back is unowned",
    document: .automaticReferenceCounting, place: "unowned references", lesson: "01-who-owns-whom",
    question: "The way back is unowned. Which of the two objects is deinitialised?",
    hint: "An unowned reference does not count either. What does it promise about who is "
      + "deinitialised first?",
    beliefs: [
      .cycle(
        "Two objects that refer to each other look like a cycle, and the property is not optional."),
      .variable("Somebody still holds the moon, and the moon's reference cannot be nil."),
    ], next: "stored-closure",
    endings: [
      endings.drop(
        expects: .one(.clean, ["Planet": nil, "Moon": nil]),
        explanation: "An unowned reference does not count either: the planet is deinitialised, "
          + "and its moon with it. There is no nil to check for, because the moon is not meant to "
          + "outlive its planet."),
      endings.outlive(
        expects: .one(.clean, ["Planet": nil, "Moon": nil]),
        explanation: "The planet is deinitialised while the moon still refers to it. That alone "
          + "is harmless, but reading the moon's planet now would end the program. Unowned is "
          + "your promise, and the runtime checks it."
      )
      .asking(
        "The moon is kept, and the planet's variable is dropped. Is the planet deinitialised?"),
    ])
}

/// The owned object refers to its owner without holding it, and must be deinitialised first.
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
