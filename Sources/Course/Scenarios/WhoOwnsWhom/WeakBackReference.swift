import MemlabKit

extension Scenario {
  private static let endings = PlanetEndings<WeakBackReference.Moon>(
    make: { WeakBackReference.Planet() }, hang: { $0.moon = $1 },
    look: { $0.planet == nil ? 0 : 1 })

  /// `weak-back-reference`: the way back is weak.
  static let weakBackReference = Scenario(
    id: "weak-back-reference", title: "the way back is weak", document: .automaticReferenceCounting,
    place: "weak references", lesson: "01-who-owns-whom",
    question: "The way back is weak. Which of the two objects is deinitialised?",
    hint: "A weak reference does not count. What is its value when the object is deinitialised?",
    beliefs: [
      .cycle("Two objects that refer to each other look like a cycle."),
      .variable("Somebody still holds the moon, and the moon still refers to the planet."),
    ], next: "unowned-back-reference",
    endings: [
      endings.drop(
        expects: .one(.clean, ["Planet": nil, "Moon": nil]),
        explanation: "The moon's reference does not count, so the planet's retain count reaches "
          + "zero and it is deinitialised. It held the only reference to the moon."),
      endings.outlive(
        expects: .one(.clean, ["Planet": nil, "Moon": nil], metrics: ["planetsSeen": 0]),
        explanation: "The planet is deinitialised while its moon is still held. The weak "
          + "reference becomes nil by itself, so every reader can tell that the planet is gone."
      )
      .asking(
        "The moon is kept, and the planet's variable is dropped. What is the value of the moon's "
          + "reference to its planet?"),
    ])
}

/// The owner holds the owned object, which refers to its owner without holding it.
enum WeakBackReference {
  // snippet:code
  final class Planet {
    var moon: Moon?
    private let probe = Probe(Planet.self)
  }

  final class Moon {
    weak var planet: Planet?
    private let probe = Probe(Moon.self)

    init(of planet: Planet) { self.planet = planet }
  }
  // snippet:end
}

extension WeakBackReference.Moon: MoonUnderStudy {}
