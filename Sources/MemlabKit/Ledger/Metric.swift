/// The name of a figure that a scenario measures.
///
/// A string literal is enough for a figure that only the scenario knows. One that decides a verdict
/// has a name here, so that it cannot be misspelt.
public struct Metric: RawRepresentable, Sendable, Hashable, Codable, CodingKeyRepresentable {
  /// The name, as it is in the report.
  public let rawValue: String

  /// A figure of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// How many updates a data race has lost; more than zero means ``Verdict/race``.
  public static let lostUpdates: Metric = "lostUpdates"
}

extension Metric: ExpressibleByStringInterpolation {
  /// A figure of this name.
  public init(stringLiteral name: String) { self.init(rawValue: name) }
}

extension Metric: Comparable, CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }

  /// By name.
  public static func < (one: Metric, other: Metric) -> Bool { one.rawValue < other.rawValue }
}
