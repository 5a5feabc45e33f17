/// Pipes of a house, which may leak too.
public struct Pipes {
  /// How many drops have come out.
  public var drops = 0

  /// Pipes that do not.
  public init() {}
}
