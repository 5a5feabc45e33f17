package import MemlabTerminalText

/// What a report said of the heap when it was recorded on Linux, for where the heap is not read.
package struct RecordedChains: Sendable {
  private let paragraphs: [Substring]

  /// The chains of a scenario's report, as `memlab` has printed it.
  package init(in report: String) { paragraphs = report.split(separator: "\n\n") }

  /// Why the survivors of an ending are alive, below a line that says where that was recorded.
  ///
  /// - Returns: nothing where nothing was recorded.
  package func lines(of ending: String) -> [StyledText] {
    let part = paragraphs.drop { !$0.hasPrefix("  ending \(ending):") }.dropFirst()
      .prefix { !$0.hasPrefix("  ending ") }.filter { $0.hasPrefix("    why ") }
    guard !part.isEmpty else { return [] }
    let lines = part.joined(separator: "\n\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    return [StyledText("    recorded on Linux, for the heap is not read here:", .dim)]
      + lines.map { StyledText(String($0)) }
  }
}
