import MemlabKit

/// How memory grows with the runs of a scenario; encoded, it is the schema `memlab.growth/1`.
struct GrowthDocument: Encodable {
  /// The version of the schema, the first key of the JSON form.
  static let schema = "memlab.growth/1"

  /// The scenario's id.
  let scenario: String
  /// The endings that were run.
  let endings: [GrowthResult]
  /// Whether each leak grew and each clean ending did not.
  let asExpected: Bool

  /// What was measured of a scenario's endings.
  init(scenario: String, endings: [GrowthResult]) {
    self.scenario = scenario
    self.endings = endings
    asExpected = endings.allSatisfy(\.asExpected)
  }
}

/// How memory grows with the runs of one ending.
struct GrowthResult: Encodable {
  /// The ending's name.
  let ending: String
  /// How often it was run in each round.
  let instances: Int
  /// The bytes that were live after each round, the first not counted below.
  let liveBytes: [Int]
  /// The blocks that were live after each round.
  let liveBlocks: [Int]
  /// What the rounds say: `grows`, `steady` or `unknown`.
  let trend: String
  /// The bytes that each run leaves behind.
  let bytesPerInstance: Double
  /// The blocks that each run leaves behind.
  let blocksPerInstance: Double
  /// How well a line fits the counted rounds: r².
  let fit: Double
  /// Whether a leak grew, or a clean ending did not; so, too, where there is no trend.
  let asExpected: Bool

  /// What was measured of an ending.
  init(_ ending: Ending, _ growth: Growth) {
    self.ending = ending.name
    instances = growth.instances
    liveBytes = growth.liveBytes
    liveBlocks = growth.liveBlocks
    trend = growth.trend.rawValue
    bytesPerInstance = growth.bytesPerInstance
    blocksPerInstance = growth.blocksPerInstance
    fit = growth.fit
    asExpected =
      growth.trend == .unknown
      || (growth.trend == .grows) == (ending.expects.verdict == .leak)
  }
}
