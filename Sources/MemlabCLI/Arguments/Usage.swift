extension CommandSpec {
  /// The command's usage, wrapped at 80 columns to stand after a heading of seven columns.
  ///
  /// - Parameter program: The name of the program.
  package func usage(program: String) -> String {
    let parts = arguments.map(\.synopsis) + options.map(\.usage)
    return Self.wrap(parts, after: "\(program) \(name)")
  }

  // An option stays in one piece with its value, so this can't be the wrapping of prose.
  private static func wrap(_ parts: [String], after start: String) -> String {
    var lines = [start]
    for part in parts {
      let joined = "\(lines[lines.count - 1]) \(part)"
      if joined.displayWidth + HelpLayout.usageIndent <= HelpLayout.lineWidth {
        lines[lines.count - 1] = joined
      } else {
        lines.append("  \(part)")
      }
    }
    return lines.joined(separator: HelpLayout.usageLineBreak)
  }
}

extension OptionSpec {
  fileprivate var usage: String { isRequired ? synopsis : "[\(synopsis)]" }
}

extension CommandTable {
  /// The program's usage, one line for each way to begin, to stand after seven columns.
  package var usage: String {
    let shortcut = ([program] + defaultSpec.arguments.map(\.synopsis)).joined(separator: " ")
    return ["\(shortcut) [<options>]", "\(program) <subcommand>"]
      .joined(separator: HelpLayout.usageLineBreak)
  }
}

/// The measures of help pages.
enum HelpLayout {
  /// The width of a help page, in columns.
  static let lineWidth = 80

  /// The column at which explanations begin, counted from 0.
  static let abstractColumn = 26

  /// The width of `Usage: `, in columns.
  static let usageIndent = 7

  /// What separates the lines of a usage.
  static let usageLineBreak = "\n" + String(repeating: " ", count: usageIndent)
}
