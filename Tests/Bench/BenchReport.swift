import MemlabCLI

/// What memlab costs: ratios of processor times, taken in one run.
///
/// Encoded, it is the schema `memlab.bench/1`.
package struct BenchReport: Codable, Sendable {
  /// The version of the schema, the first key of the JSON form.
  package static let schema = "memlab.bench/1"

  /// One time over another.
  package struct Ratio: Codable, Sendable {
    /// What it is called.
    package let name: String
    /// What is divided by what, for people.
    package let meaning: String
    /// The quotient.
    package let ratio: Double
  }

  /// What reading the heap costs.
  package struct Reading: Codable, Sendable {
    /// The live blocks that were read.
    package let blocks: Int
    /// The time of a snapshot for each block, over that of an allocation with its free.
    package let snapshotPerBlock: Double
    /// The same of finding the path to one object among them.
    package let pathPerBlock: Double
  }

  /// What a leak that is run many times leaves behind.
  package struct Growth: Codable, Sendable {
    /// The runs in each round.
    package let instances: Int
    /// The bytes that each run leaves behind: the slope over the rounds.
    package let bytesPerInstance: Double
    /// The time of a run, over that of an allocation with its free.
    package let allocationsPerInstance: Double

    /// What a number of runs has left behind.
    package init(instances: Int, bytesPerInstance: Double, allocationsPerInstance: Double) {
      self.instances = instances
      self.bytesPerInstance = bytesPerInstance
      self.allocationsPerInstance = allocationsPerInstance
    }
  }

  /// `release`, or `debug`, whose figures say little.
  package let configuration: String
  /// Ratios that stand alone.
  package let ratios: [Ratio]
  /// Readings of ever larger heaps.
  package let readings: [Reading]
  /// Ever more runs of one ending.
  package let growth: [Growth]
  /// The power of the number of runs with which the time grows; 1 is a straight line.
  package let growthExponent: Double
  /// Whether each run of the leak has left something behind.
  package let asExpected: Bool

  /// A report of these figures.
  package init(ratios: [Ratio], readings: [Reading], growth: [Growth]) {
    configuration = Self.configuration
    self.ratios = ratios
    self.readings = readings
    self.growth = growth
    growthExponent = Slope.power(
      of: growth.map { (Double($0.instances), Double($0.instances) * $0.allocationsPerInstance) })
    asExpected = growth.allSatisfy { $0.bytesPerInstance > 0 }
  }

  /// How this memlab was built.
  package static var configuration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}

/// How one quantity grows with another.
package enum Slope {
  /// The power in `y ~ x^power` that fits best: the slope of the line through the logarithms.
  ///
  /// - Parameter points: Positive pairs; fewer than two have no slope.
  package static func power(of points: [(x: Double, y: Double)]) -> Double {
    guard points.count > 1 else { return 0 }
    let logs = points.map { (x: log($0.x), y: log($0.y)) }
    let count = Double(logs.count)
    let x = logs.reduce(0) { $0 + $1.x } / count
    let y = logs.reduce(0) { $0 + $1.y } / count
    let product = logs.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
    return product / logs.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
  }
}

/// A figure that could not be taken, so that none is to be trusted.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
