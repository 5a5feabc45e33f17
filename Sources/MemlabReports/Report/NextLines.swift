package import MemlabKit
package import TerminalText

/// What to type next.
package enum NextLines {
  /// The commands after a scenario: the next one, and what fixes it.
  ///
  /// - Parameters:
  ///   - scenario: what was run.
  ///   - program: the name of the program, as typed.
  ///   - width: the width of a line.
  package static func lines(after scenario: Scenario, program: String, width: Int) -> [StyledText] {
    var parts: [String] = []
    if let next = scenario.next { parts.append("next: \(program) \(next)") }
    if let fix = scenario.fixedBy, fix != scenario.next {
      parts.append("the fix: \(program) \(fix)")
    }
    if parts.isEmpty { parts.append("next: \(program) list") }
    return commands(parts, width: width)
  }

  /// What can be typed next, on one line, or on a line each where that is too wide.
  package static func commands(_ parts: [String], width: Int) -> [StyledText] {
    let line = parts.joined(separator: " · ")
    return (line.displayWidth <= width ? [line] : parts).map { StyledText($0, .dim) }
  }
}
