import MemlabKit

/// A moon. Its reference to its planet is under study.
protocol MoonUnderStudy: AnyObject {
  /// The planet that it belongs to.
  associatedtype Planet: AnyObject

  /// A moon of this planet.
  init(of planet: Planet)
}

/// The endings of a planet and its moon.
struct PlanetEndings<Moon: MoonUnderStudy>: Sendable {
  private let make: @Sendable () -> Moon.Planet
  private let hang: @Sendable (Moon.Planet, Moon) -> Void
  private let cut: @Sendable (Moon) -> Void

  /// The endings for a moon of this type.
  ///
  /// - Parameters:
  ///   - make: makes a planet.
  ///   - hang: gives the planet its moon.
  ///   - cut: sets the moon's reference to its planet to nil.
  init(
    of moon: Moon.Type, make: @escaping @Sendable () -> Moon.Planet,
    hang: @escaping @Sendable (Moon.Planet, Moon) -> Void,
    cut: @escaping @Sendable (Moon) -> Void = { _ in }
  ) { (self.make, self.hang, self.cut) = (make, hang, cut) }

  /// The last variables are dropped, and nothing is done before.
  func drop(expects: Declaration, explanation: String) -> Ending {
    Ending("drop", "both are dropped", expects: expects, explanation: explanation) { lab in
      @Variable("planet") var planet: Moon.Planet?
      @Variable("moon") var moon: Moon?
      try create(_planet, _moon, lab)
      try lab.release("the moon's variable is dropped") { moon = nil }
      try lab.release("the planet's variable is dropped") { planet = nil }
    }
  }

  /// One edge is cut by hand before the last variables are dropped.
  func cut(expects: Declaration, explanation: String) -> Ending {
    Ending(
      "cut", "the moon's reference is set to nil, then both are dropped",
      expects: expects, explanation: explanation
    ) { lab in
      @Variable("planet") var planet: Moon.Planet?
      @Variable("moon") var moon: Moon?
      try create(_planet, _moon, lab)
      try lab.release("the moon's planet is set to nil") { moon.map(cut) }
      try lab.release("the moon's variable is dropped") { moon = nil }
      try lab.release("the planet's variable is dropped") { planet = nil }
    }
  }

  /// Someone keeps the moon longer than its planet.
  ///
  /// - Parameter look: returns how many planets the moon still sees; nil if reading the reference
  ///   would trap.
  func outlive(
    expects: Declaration, explanation: String, look: (@Sendable (Moon) -> Int)? = nil
  ) -> Ending {
    Ending(
      "outlive", "the planet is dropped while someone keeps its moon",
      expects: expects, explanation: explanation
    ) { lab in
      @Variable("planet") var planet: Moon.Planet?
      @Variable("moon") var moon: Moon?
      try create(_planet, _moon, lab)
      try lab.release("the planet's variable is dropped") { planet = nil }
      if let look {
        try lab.step("the moon looks for its planet") {
          lab.ledger.setMetric("planetsSeen", moon.map(look) ?? 0)
        }
      }
      try lab.release("the moon's variable is dropped") { moon = nil }
    }
  }

  private func create(
    _ planet: Variable<Moon.Planet?>, _ moon: Variable<Moon?>, _ lab: Lab
  ) throws {
    try lab.step("a planet gets a moon") {
      let (newPlanet, newMoon) = pair()
      (planet.wrappedValue, moon.wrappedValue) = (newPlanet, newMoon)
    }
  }

  private func pair() -> (Moon.Planet, Moon) {
    let planet = make()
    let moon = Moon(of: planet)
    hang(planet, moon)
    return (planet, moon)
  }
}

extension Declaration {
  /// The counts of one planet and one moon.
  ///
  /// - Parameters:
  ///   - planets: how many planets are deinitialised, 0 or 1.
  ///   - moons: how many moons are deinitialised, 0 or 1.
  ///   - metrics: figures of this ending only.
  static func planet(
    _ verdict: Verdict, planets: Int, moons: Int, metrics: [Metric: Int] = [:]
  ) -> Declaration {
    Declaration(
      verdict,
      objects: [
        ObjectCount("Planet", created: 1, deinitialized: planets),
        ObjectCount("Moon", created: 1, deinitialized: moons),
      ],
      metrics: metrics)
  }
}
