import MemlabKit

extension Scenario {
  private static let endings = PlanetEndings<RetainCycle.Moon>(
    make: { RetainCycle.Planet() }, hang: { $0.moon = $1 }, release: { $0.planet = nil })

  /// `retain-cycle`: two objects hold each other.
  static let retainCycle = Scenario(
    id: "retain-cycle", title: "two objects hold each other", document: .automaticReferenceCounting,
    place: "a cycle of two objects", lesson: "01-who-owns-whom",
    question: "The last variables that refer to the planet and its moon are gone. What is "
      + "deinitialised?",
    hint: "Count the strong references to each of the two, and cross out those that are released.",
    beliefs: [
      .nobody(
        "Both variables are gone, so people count zero references. They count variables, and not "
          + "references."
      ), .variable("In a debugger, the object is still listed as if the variable held it."),
      .global(
        "People who know other languages assume that the runtime keeps a list of all objects."),
    ], next: "weak-back-reference", fixedBy: "weak-back-reference",
    endings: [
      endings.drop(
        expects: .one(.leak, ["Planet": .moon, "Moon": .planet]),
        explanation: "The program holds neither object any more, but each still holds the other, "
          + "so neither retain count reaches zero. No code can reach them to undo it. This is a "
          + "retain cycle, and both stay alive until the process ends."),
      endings.cut(
        expects: .one(.clean, ["Planet": nil, "Moon": nil]),
        explanation: "Cutting one of the two references is enough. Nothing holds the planet once "
          + "its variable is gone. When it is deinitialised it releases the moon, and the moon is "
          + "deinitialised too."),
    ])
}

/// Two objects with strong references to each other.
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
