import MemlabKit

/// memlab's manual page, made from the table of commands; see man(7).
struct ManualPage: Sendable {
  // A page has to have a date, and is to be the same bytes whenever it is made.
  private static let date = "2026-11-21"

  /// The program's commands.
  let table: CommandTable
  /// The scenarios that the page lists.
  let scenarios: [Scenario]
  /// The program's version.
  let version: String

  /// The page as the input of man(1).
  var text: String {
    var page = Roff()
    let title = table.program.uppercased()
    page.header([title, "1", Self.date, "\(table.program) \(version)"])
    page.section("NAME")
    page.text("\(table.program) - \(Self.phrase(table.abstract))")
    page.section("SYNOPSIS")
    page.synopsis(table.usage)
    page.section("DESCRIPTION")
    page.prose(table.discussion)
    page.section("COMMANDS")
    for command in table.commands { add(command, to: &page) }
    addScenarios(to: &page)
    page.section("EXIT STATUS")
    for (code, meaning) in Self.exitCodes { page.item("\(code.rawValue)", meaning) }
    page.section("ENVIRONMENT")
    for (name, meaning) in Self.variables { page.item(name, meaning) }
    return page.text
  }

  private func add(_ command: CommandSpec, to page: inout Roff) {
    page.macro("SS", ["\(table.program) \(command.name)"])
    page.prose(command.abstract)
    page.prose(command.discussion)
    page.synopsis(command.usage(program: table.program))
    for argument in command.arguments { page.item(argument.label, argument.explanation) }
    for option in command.allOptions { page.item(option.label, option.explanation) }
  }

  private func addScenarios(to page: inout Roff) {
    page.section("SCENARIOS")
    var document: Document?
    for scenario in scenarios {
      if scenario.document != document {
        page.macro("SS", [scenario.document.title])
        document = scenario.document
      }
      let endings = scenario.endings.map(\.name).joined(separator: ", ")
      page.item(scenario.id, "\(scenario.title) (endings: \(endings))")
    }
  }

  // What stands behind the name is a phrase, not a sentence.
  private static func phrase(_ sentence: String) -> String {
    let phrase = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return phrase.prefix(1).lowercased() + phrase.dropFirst()
  }

  private static let exitCodes: [(ExitCode, String)] = [
    (.success, "Measured as declared, a leak shown on purpose included; help; version."),
    (.unexpected, "Measured otherwise: an unexpected leak, a leak that is missing, a wrong count."),
    (.usage, "Bad usage: an unknown scenario or option, or nothing selected."),
    (
      .untrusted,
      "memlab cannot be trusted here: the witnesses disagree, a self-check failed, or a step did "
        + "not come to rest."
    ),
    (.cannotWrite, "The output could not be written."),
  ]

  private static let variables = [
    ("COLUMNS", "The width of the output, instead of the terminal's."),
    ("NO_COLOR", "Where it is set and not empty, the output has no colours."),
    ("TERM", "Where it is not set, or 'dumb', the output has no colours."),
  ]
}
