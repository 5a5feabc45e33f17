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
  fileprivate let make: @Sendable () -> Moon.Planet
  fileprivate let hang: @Sendable (Moon.Planet, Moon) -> Void
  fileprivate let cut: @Sendable (Moon) -> Void

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
      let stage = PlanetStage(lab, self)
      try stage.create()
      try stage.dropMoon()
      try stage.dropPlanet()
    }
  }

  /// One edge is cut by hand before the last variables are dropped.
  func cut(expects: Declaration, explanation: String) -> Ending {
    Ending(
      "cut", "the moon's reference is set to nil, then both are dropped",
      expects: expects, explanation: explanation
    ) { lab in
      let stage = PlanetStage(lab, self)
      try stage.create()
      try stage.cut()
      try stage.dropMoon()
      try stage.dropPlanet()
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
      let stage = PlanetStage(lab, self)
      try stage.create()
      try stage.dropPlanet()
      if let look { try stage.look(look) }
      try stage.dropMoon()
    }
  }
}

/// A planet and its moon, and the steps of their endings.
private final class PlanetStage<Moon: MoonUnderStudy> {
  private let lab: Lab
  private let endings: PlanetEndings<Moon>
  @Variable("planet") private var planet: Moon.Planet?
  @Variable("moon") private var moon: Moon?

  init(_ lab: Lab, _ endings: PlanetEndings<Moon>) { (self.lab, self.endings) = (lab, endings) }

  func create() throws {
    try lab.step("a planet gets a moon") {
      let planet = endings.make()
      let moon = Moon(of: planet)
      endings.hang(planet, moon)
      (self.planet, self.moon) = (planet, moon)
    }
  }

  func cut() throws { try lab.release("the moon's planet is set to nil") { moon.map(endings.cut) } }

  func dropMoon() throws { try lab.release("the moon's variable is dropped") { moon = nil } }

  func dropPlanet() throws { try lab.release("the planet's variable is dropped") { planet = nil } }

  func look(_ look: (Moon) -> Int) throws {
    try lab.step("the moon looks for its planet") {
      lab.ledger.setMetric("planetsSeen", moon.map(look) ?? 0)
    }
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
    .one(verdict, deinitialized: ["Planet": planets, "Moon": moons], metrics: metrics)
  }
}
