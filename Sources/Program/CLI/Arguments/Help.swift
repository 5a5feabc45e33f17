import MemlabTerminalText

extension CommandTable {
  /// A help page, ending in a line break.
  ///
  /// - Parameters:
  ///   - name: The command to explain; `nil`, or a name that is not in the table, explains the whole
  ///     program.
  ///   - width: The width in columns; wider than 80, lines would be hard to read.
  package func help(for name: String? = nil, width: Int = HelpLayout.mostWidth) -> String {
    let page = HelpPage(width: width)
    guard let name, let command = command(named: name) else { return programHelp(on: page) }
    return page.overview(command.abstract, discussion: command.discussion)
      .usage(command.usage(program: program, width: page.width))
      .section("ARGUMENTS", command.arguments.map { ($0.label, $0.explanation) })
      .section("OPTIONS", command.allOptions.map { ($0.label, $0.explanation) }).text
  }

  private func programHelp(on page: HelpPage) -> String {
    let options: [OptionSpec] = [.version, .help]
    return page.overview(abstract, discussion: discussion).usage(usage)
      .section("OPTIONS", options.map { ($0.label, $0.explanation) })
      .section("SUBCOMMANDS", commands.map { (label(of: $0), $0.abstract) })
      .closing("  See '\(program) help <subcommand>' for detailed help.").text
  }

  private func label(of command: CommandSpec) -> String {
    command.name == defaultCommand ? "\(command.name) (default)" : command.name
  }
}

extension ArgumentSpec {
  /// The help sentence and the values that may be chosen from.
  package var explanation: String { explain(help, values, default: nil) }
}

extension OptionSpec {
  /// The help sentence, the values that may be chosen from and the default.
  package var explanation: String { explain(help, values, default: defaultValue) }
}

private func explain(_ help: String, _ rule: ValueRule, default defaultValue: String?) -> String {
  let notes = [
    rule.listedValues.isEmpty ? nil : "values: \(rule.listedValues.joined(separator: ", "))",
    defaultValue.map { "default: \($0)" },
  ].compactMap(\.self)
  return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
}

/// A help page under construction: sections in order, a blank line between them.
struct HelpPage {
  /// The width in columns, 80 at most.
  let width: Int
  private var sections: [String] = []

  /// An empty page for a terminal of this width.
  init(width: Int = HelpLayout.mostWidth) { self.width = min(width, HelpLayout.mostWidth) }

  /// The page so far, ending in a line break.
  var text: String { sections.joined(separator: "\n\n") + "\n" }

  /// Adds what the command is, and more about it.
  func overview(_ abstract: String, discussion: String?) -> HelpPage {
    adding(wrapped("OVERVIEW: \(abstract)")).adding(discussion.map(wrapped))
  }

  /// Adds how the command is called.
  func usage(_ usage: String) -> HelpPage { adding("USAGE: \(usage)") }

  /// Adds a list of labels and their explanations, unless it is empty.
  func section(_ title: String, _ entries: [(label: String, explanation: String)]) -> HelpPage {
    let lines = lines(of: entries, column: HelpLayout.abstractColumn)
    return entries.isEmpty ? self : adding((["\(title):"] + lines).joined(separator: "\n"))
  }

  /// Adds a last line, or several.
  func closing(_ lines: String) -> HelpPage { adding(wrapped(lines)) }

  private func adding(_ section: String?) -> HelpPage {
    var page = self
    if let section { page.sections.append(section) }
    return page
  }

  /// Labels and their explanations beside them, or below where there is no room beside them.
  ///
  /// - Parameter column: The column at which explanations begin, counted from 0.
  func lines(of entries: [(label: String, explanation: String)], column: Int) -> [String] {
    let hasRoom = width - column >= HelpLayout.leastExplanation
    let column = hasRoom ? column : HelpLayout.narrowAbstractColumn
    return entries.flatMap { label, explanation in
      let lines = explanation.wrapped(to: width - column)
      let start = "  \(label)"
      if explanation.isEmpty { return [start] }
      if start.displayWidth >= column { return [start] + lines.map { spaces(column) + $0 } }
      return lines.hanging(behind: StyledText(start.padded(to: column))).map(\.plain)
    }
  }

  private func wrapped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.first == " "
        ? StyledText(String(line)).foldedIfNarrow(to: width).map(\.plain)
        : String(line).wrapped(to: width)
    }.joined(separator: "\n")
  }
}

extension CommandSpec {
  /// The command's usage in lines that follow a heading of seven columns.
  ///
  /// - Parameters:
  ///   - program: The name of the program.
  ///   - width: The width in columns.
  package func usage(program: String, width: Int = HelpLayout.mostWidth) -> String {
    let options = options.map { $0.isRequired ? $0.synopsis : "[\($0.synopsis)]" }
    var lines = ["\(program) \(name)"]
    // An option stays in one piece with its value, so this can't be the wrapping of prose.
    for part in arguments.map(\.synopsis) + options {
      let joined = "\(lines[lines.count - 1]) \(part)"
      let fits = joined.displayWidth + HelpLayout.usageIndent <= width
      if fits { lines.removeLast() }
      lines.append(fits ? joined : "  \(part)")
    }
    return lines.joined(separator: HelpLayout.usageLineBreak)
  }
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
package enum HelpLayout {
  /// The width of a help page, in columns, on a terminal that has as many.
  package static let mostWidth = 80

  /// The column at which explanations begin, counted from 0.
  static let abstractColumn = 26

  /// The least width of an explanation beside its label.
  static let leastExplanation = 24

  /// The column at which explanations begin where there is no room beside the label.
  static let narrowAbstractColumn = 6

  /// The width of `Usage: `, in columns.
  static let usageIndent = 7

  /// What separates the lines of a usage.
  static let usageLineBreak = "\n" + spaces(usageIndent)
}
