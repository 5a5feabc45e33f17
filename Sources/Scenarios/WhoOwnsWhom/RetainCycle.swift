import MemlabKit

extension Scenario {
  private static let endings = PlanetEndings(
    of: RetainCycle.Moon.self, make: { RetainCycle.Planet() }, hang: { $0.moon = $1 },
    cut: { $0.planet = nil })

  static let retainCycle = Scenario(
    id: "retain-cycle",
    title: "two objects hold each other",
    document: .automaticReferenceCounting,
    place: "a cycle of two objects",
    lesson: "01-who-owns-whom",
    question: "The last variables that know the planet and its moon are gone. What is "
      + "deinitialised?",
    hint: "Count the strong references to each of the two, and cross out those that go.",
    next: "weak-back-reference",
    fixedBy: "weak-back-reference",
    endings: [
      endings.drop(
        expects: .planet(.leak, planets: 0, moons: 0)
          .with(held: ["Planet": .moon, "Moon": .planet]),
        explanation: "The program holds neither any more, but each still holds the other, so "
          + "neither count reaches zero. Nobody can reach them to undo it: this is a retain "
          + "cycle, and the two stay until the process ends."),
      endings.cut(
        expects: .planet(.clean, planets: 1, moons: 1),
        explanation: "One of the two edges is enough. Without the moon's, nothing holds the "
          + "planet once its variable is gone; it takes its own edge along, and the moon follows."),
    ])
}

/// Two strong references that point at each other.
enum RetainCycle {
  // snippet:code
  final class Planet {
    var moon: Moon?
    private let probe = Probe(Planet.self)
  }

  final class Moon {
    var planet: Planet?
    private let probe = Probe(Moon.self)

    init(of planet: Planet) { self.planet = planet }
  }
  // snippet:end
}

extension RetainCycle.Moon: MoonUnderStudy {}

extension DeclaredHolder {
  fileprivate static let moon = field("planet", of: "Moon")
  fileprivate static let planet = field("moon", of: "Planet")
}
