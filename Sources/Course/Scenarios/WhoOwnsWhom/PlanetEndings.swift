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
  /// Makes a planet.
  let make: @Sendable () -> Moon.Planet
  /// Gives the planet its moon.
  let hang: @Sendable (Moon.Planet, Moon) -> Void
  /// Sets the moon's reference to its planet to nil.
  var release: @Sendable (Moon) -> Void = { _ in }
  /// Returns how many planets the moon still sees; nil if reading the reference would trap.
  var look: (@Sendable (Moon) -> Int)?

  /// The last variables are dropped, and nothing is done before.
  var drop: SharedEnding {
    ending("drop", "both are dropped") { [$0.create, $0.dropMoon, $0.dropPlanet] }
  }

  /// One edge is cut by hand before the last variables are dropped.
  var cut: SharedEnding {
    ending("cut", "the moon's reference is set to nil, then both are dropped") {
      [$0.create, $0.cut, $0.dropMoon, $0.dropPlanet]
    }
  }

  /// Someone keeps the moon longer than its planet.
  var outlive: SharedEnding {
    ending("outlive", "the planet is dropped while someone keeps its moon") {
      [$0.create, $0.dropPlanet, $0.look, $0.dropMoon]
    }
  }

  private func ending(
    _ name: String, _ title: String,
    steps: @escaping @Sendable (PlanetStage<Moon>) -> [() throws -> Void]
  ) -> SharedEnding { SharedEnding(name, title, on: { PlanetStage($0, self) }, steps: steps) }
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

  func cut() throws {
    try lab.release("the moon's planet is set to nil") { moon.map(endings.release) }
  }

  func dropMoon() throws { try lab.release("the moon's variable is dropped") { moon = nil } }

  func dropPlanet() throws { try lab.release("the planet's variable is dropped") { planet = nil } }

  func look() throws {
    guard let look = endings.look else { return }
    try lab.step("the moon looks for its planet") {
      lab.ledger.setMetric("planetsSeen", moon.map(look) ?? 0)
    }
  }
}
