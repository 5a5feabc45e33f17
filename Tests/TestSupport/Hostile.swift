/// What somebody may put into a name so that a terminal, a build server or a viewer obeys it.
package enum Hostile {
  /// Sets a terminal's title, clears the screen, begins a line that is a workflow command, colours with
  /// a control character of eight bits, turns the direction, has what XML cannot have, and commands of
  /// three build servers.
  package static let name =
    "x\u{1B}]0;title\u{7}\u{1B}[2J\r\n::error::pwned\u{9B}31m\u{202E}\u{FFFE}\u{2028}::error::pwned"
    + "##[group]##vso[task.a b=c]d##teamcity[e]"

  /// What would be obeyed in an output: each character once, and lines that are commands.
  ///
  /// - Parameter colors: whether memlab's own colours may be there.
  package static func obeyed(in output: String, colors: Bool = false) -> Set<String> {
    let text = colors ? output.replacing(/\u{1B}\[[0-9;]*m/, with: "") : output
    let scalars = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x09, 0x0A: false
      case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF:
        true
      default: false
      }
    }
    // As the runner reads it: https://github.com/actions/runner, ActionCommand.cs.
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    let commands = lines.filter { $0.hasPrefix("::error::pwned") }.map { String($0.prefix(20)) }
    let servers = text.matches(of: /##\w*\[/).map { String($0.0) }
    return Set(
      scalars.map { "U+" + String($0.value, radix: 16, uppercase: true) } + commands + servers)
  }
}
