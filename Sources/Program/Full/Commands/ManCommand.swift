import MemlabCLI
import MemlabKit
import MemlabPlatform
import MemlabTerminalText

/// `memlab man`: the manual page, for `make install`.
enum ManCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    try session.output.write(page(of: session.app))
    return .success
  }

  /// The day that the page shows, as `2026-11-22`: that of `SOURCE_DATE_EPOCH`, which `make install`
  /// sets to the time of the commit, https://reproducible-builds.org/specs/source-date-epoch/;
  /// otherwise that on which this program was built.
  private static var day: String {
    let given = SystemCalls.environment("SOURCE_DATE_EPOCH").flatMap(Double.init)
      .map(Date.init(timeIntervalSince1970:))
    let date = given ?? OwnProgram.path.flatMap(ExerciseFiles.date)
    return date.map { $0.formatted(.iso8601.year().month().day()) } ?? ""
  }

  /// The page as the input of man(1), made from the table of commands; see man(7).
  private static func page(of app: App) -> String {
    let table = Commands.table(of: app)
    var page = Roff()
    page.header([table.program.uppercased(), "1", day, "\(table.program) \(app.version)"])
    page.section("NAME")
    page.text("\(table.program) - \(phrase(table.abstract))")
    page.section("SYNOPSIS")
    page.synopsis(table.usage)
    page.section("DESCRIPTION")
    page.prose(table.discussion)
    page.section("COMMANDS")
    for command in table.commands { add(command, of: table.program, to: &page) }
    add(app.scenarios, to: &page)
    return page.text + Completions.text("man", filling: [:])
  }

  private static func add(_ command: CommandSpec, of program: String, to page: inout Roff) {
    page.macro("SS", ["\(program) \(command.name)"])
    page.prose(command.abstract)
    page.prose(command.discussion)
    page.synopsis(command.usage(program: program))
    for argument in command.arguments { page.item(argument.label, argument.explanation) }
    for option in command.allOptions { page.item(option.label, option.explanation) }
  }

  private static func add(_ scenarios: [Scenario], to page: inout Roff) {
    page.section("SCENARIOS")
    for group in scenarios.inDocuments {
      page.macro("SS", [group[0].document.title])
      for scenario in group {
        let endings = scenario.endings.map(\.name).joined(separator: ", ")
        page.item(scenario.id, "\(scenario.title) (endings: \(endings))")
      }
    }
  }

  // After the name, man(7) wants a phrase, not a sentence.
  private static func phrase(_ sentence: String) -> String {
    let phrase = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return phrase.prefix(1).lowercased() + phrase.dropFirst()
  }
}

/// A manual page under construction, in the macros of man(7).
struct Roff {
  /// What has been written so far.
  private(set) var text = ""
  // The first paragraph after a heading needs no macro; mandoc -T lint complains of one.
  private var isBehindHeading = false

  /// Adds the header, whose arguments are no text: a date's hyphens stay as they are.
  mutating func header(_ arguments: [String]) {
    text += ".TH " + arguments.map { "\"\($0)\"" }.joined(separator: " ") + "\n"
  }

  /// Adds a macro with its arguments.
  mutating func macro(_ name: String, _ arguments: [String] = []) {
    let list = arguments.map { " \"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }
    text += ".\(name)\(list.joined())\n"
    isBehindHeading = ["SH", "SS"].contains(name)
  }

  /// Begins a section.
  mutating func section(_ title: String) { macro("SH", [title]) }

  /// Adds a line of text.
  mutating func text(_ line: String) {
    text += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + Self.escaped(line) + "\n"
  }

  /// Adds paragraphs; lines that begin with a space are kept as they are.
  mutating func prose(_ discussion: String?) {
    guard let discussion else { return }
    for block in discussion.split(separator: "\n\n") {
      if block.first == " " {
        example(block.split(separator: "\n").map(String.init))
      } else {
        paragraph()
        text(block.split(separator: "\n").joined(separator: " "))
      }
    }
  }

  /// Adds a usage, line by line.
  mutating func synopsis(_ usage: String) {
    example(usage.split(separator: "\n").map { String($0.drop { $0 == " " }) })
  }

  /// Adds a word or an option, and what is said of it.
  mutating func item(_ label: String, _ explanation: String) {
    macro("TP")
    text += "\\fB\(Self.escaped(label))\\fR\n"
    text(explanation)
  }

  private mutating func paragraph() {
    if !isBehindHeading { macro("PP") }
    isBehindHeading = false
  }

  private mutating func example(_ lines: [String]) {
    paragraph()
    macro("nf")
    for line in lines { text(line) }
    macro("fi")
  }

  // A plain hyphen would be printed as a typographic one, which cannot be copied into a shell.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "…": "..."
      default: scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar.value, digits: 4))]"
      }
    }.joined()
  }
}
