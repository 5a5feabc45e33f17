/// How much room a text takes, estimated so that no fixed-width font exceeds it.
enum TextMetrics {
  /// The size of the letters, in units of the drawing.
  static let size = 13.0
  /// From one line to the next.
  static let lineHeight = 17.0
  // The widest common fixed-width fonts take 0.62 of their size; an ideograph takes 1.
  private static let columnWidth = 0.64 * size

  /// The width of the widest line.
  static func width(of lines: [String]) -> Double {
    Double(lines.map(\.displayWidth).max() ?? 0) * columnWidth
  }

  /// The height of all lines.
  static func height(of lines: [String]) -> Double { Double(lines.count) * lineHeight }
}
