extension CommandTable {
  /// A help page, ending in a line break.
  ///
  /// - Parameter name: The command to explain; `nil`, or a name that is not in the table, explains
  ///   the whole program.
  package func help(for name: String? = nil) -> String {
    guard let name, let command = command(named: name) else { return programHelp }
    return HelpPage()
      .overview(command.abstract, discussion: command.discussion)
      .usage(command.usage(program: program))
      .section("ARGUMENTS", command.arguments.map { ($0.label, $0.explanation) })
      .section("OPTIONS", command.allOptions.map { ($0.label, $0.explanation) })
      .text
  }

  private var programHelp: String {
    let options: [OptionSpec] = [.version, .help]
    return HelpPage()
      .overview(abstract, discussion: discussion)
      .usage(usage)
      .section("OPTIONS", options.map { ($0.label, $0.explanation) })
      .section("SUBCOMMANDS", commands.map { (label(of: $0), $0.abstract) })
      .closing("  See '\(program) help <subcommand>' for detailed help.")
      .text
  }

  private func label(of command: CommandSpec) -> String {
    command.name == defaultCommand ? "\(command.name) (default)" : command.name
  }
}

extension ArgumentSpec {
  /// The help sentence and the values that may be chosen from.
  var explanation: String {
    explain(help, values: values.listedValues, default: nil)
  }
}

extension OptionSpec {
  /// The help sentence, the values that may be chosen from and the default.
  var explanation: String {
    explain(help, values: values.listedValues, default: defaultValue)
  }
}

private func explain(_ help: String, values: [String], default defaultValue: String?) -> String {
  let notes = [
    values.isEmpty ? nil : "values: \(values.joined(separator: ", "))",
    defaultValue.map { "default: \($0)" },
  ].compactMap(\.self)
  return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
}

/// A help page under construction: sections in order, a blank line between them.
struct HelpPage {
  private var sections: [String] = []

  /// The page so far, ending in a line break.
  var text: String { sections.joined(separator: "\n\n") + "\n" }

  /// Adds what the command is, and more about it.
  func overview(_ abstract: String, discussion: String?) -> HelpPage {
    let title = Self.wrapped("OVERVIEW: \(abstract)")
    return adding(title).adding(discussion.map(Self.wrapped))
  }

  /// Adds how the command is called.
  func usage(_ usage: String) -> HelpPage { adding("USAGE: \(usage)") }

  /// Adds a list of labels and their explanations, unless it is empty.
  func section(_ title: String, _ entries: [(label: String, explanation: String)]) -> HelpPage {
    guard !entries.isEmpty else { return self }
    let lines = entries.map { Self.entry($0.label, $0.explanation) }
    return adding((["\(title):"] + lines).joined(separator: "\n"))
  }

  /// Adds a last line.
  func closing(_ line: String) -> HelpPage { adding(line) }

  private func adding(_ section: String?) -> HelpPage {
    var page = self
    if let section { page.sections.append(section) }
    return page
  }

  private static func entry(_ label: String, _ explanation: String) -> String {
    let column = HelpLayout.abstractColumn
    let indent = String(repeating: " ", count: column)
    let lines = explanation.wrapped(to: HelpLayout.lineWidth - column)
    let start = "  \(label)"
    let body = lines.joined(separator: "\n\(indent)")
    if explanation.isEmpty { return start }
    if start.displayWidth >= column { return "\(start)\n\(indent)\(body)" }
    return start.padded(to: column) + body
  }

  private static func wrapped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { line in
        line.first == " " ? [String(line)] : String(line).wrapped(to: HelpLayout.lineWidth)
      }
      .joined(separator: "\n")
  }
}

extension CommandSpec {
  /// The command's usage, wrapped at 80 columns to follow a heading of seven columns.
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
  /// The program's usage, one line for each way to begin, to follow a heading of seven columns.
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
