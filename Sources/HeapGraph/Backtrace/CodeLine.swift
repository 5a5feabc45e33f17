/// A line of somebody's source.
public struct CodeLine: Sendable, Hashable, CustomStringConvertible {
  /// The last path component of the file.
  public let file: String
  /// The line, from 1.
  public let line: Int

  /// `File.swift:12`.
  public var description: String { "\(file):\(line)" }
}
