import MemlabCLI
import MemlabTerminalText
import Testing

@Suite("Understanding a command line") struct ParsingTests {
  @Test("a scenario alone runs it", arguments: Sample.scenarios)
  func scenarioIsShorthand(scenario: String) throws {
    let short = try Sample.invocation([scenario])
    #expect(short.command == "run")
    #expect(short.positionals == [scenario])
    #expect(try Sample.invocation(["run", scenario]) == short)
  }

  @Test("options may stand before the command, between and after the words")
  func optionsStandAnywhere() throws {
    let expected = try Sample.invocation(["run", "strong-self", "--ending", "drop", "-q"])
    #expect(expected.value("ending") == "drop")
    #expect(expected.flag("quiet"))
    for words in [
      ["-q", "--ending", "drop", "strong-self"], ["--ending=drop", "run", "-q", "strong-self"],
      ["strong-self", "-e", "drop", "--quiet"], ["-e=drop", "-q", "--", "strong-self"],
    ] { #expect(try Sample.invocation(words) == expected, "\(words)") }
  }

  @Test("an option that is not given has its default, or nothing") func defaults() throws {
    let invocation = try Sample.invocation(["strong-self"])
    #expect(invocation.value("format") == "text")
    #expect(invocation.value("ending") == nil)
    #expect(invocation.values("tag") == [])
    #expect(try invocation.integer("seed") == nil)
    #expect(!invocation.flag("quiet"))
  }

  @Test("a repeating option keeps its values in order, an empty part after '=' is rejected")
  func repeating() throws {
    let invocation = try Sample.invocation(["strong-self", "--tag", "b", "--tag=a=c", "--tag", "-"])
    #expect(invocation.values("tag") == ["b", "a=c", "-"])
    #expect(Sample.error(["strong-self", "--tag="]) != nil)
  }

  @Test("whole numbers are read") func integers() throws {
    let invocation = try Sample.invocation(["strong-self", "--seed=\(Int.max)"])
    #expect(invocation.integer("seed") == Int.max)
  }

  @Test("a choice is read back as the case it names, its default included") func choices() throws {
    func color(_ words: [String]) throws -> ColorChoice? {
      try Sample.invocation(["list"] + words).choice("color", as: ColorChoice.self)
    }
    #expect(try color([]) == .auto)
    #expect(try color(["--color", "never"]) == .never)
    #expect(
      Sample.error(["list", "--color=red"])?.message
        == "The value 'red' is invalid for '--color <when>'. Choose one of: auto, always, never.")
  }

  @Test("a command words its own errors like the parser's") func ownErrors() throws {
    let invocation = try Sample.invocation(["strong-self", "--ending", "drop"])
    let error = invocation.invalidValue(of: "ending", expected: .oneOf(["race"]))
    #expect(
      error.message == "The value 'drop' is invalid for '--ending <name>'. Choose one of: race.")
    #expect(error.invocation == "memlab run")
    let other = invocation.usageError("Nothing was selected.", suggestions: ["list"])
    #expect(
      other.description.hasPrefix("Error: Nothing was selected. Did you mean 'list'?\nUsage:"))
    #expect(other.usage == error.usage)
  }

  @Test("a repeating argument takes all words") func repeatingArgument() throws {
    #expect(try Sample.invocation(["check"]).positionals == [])
    let both = try Sample.invocation(["check", "strong-self", "deinit-finish"])
    #expect(both.positionals == ["strong-self", "deinit-finish"])
  }

  @Test("each word is checked against its own argument") func severalArguments() throws {
    let compare = CommandSpec(
      "compare", abstract: "",
      arguments: [
        ArgumentSpec("scenario", help: "", values: .scenario),
        ArgumentSpec("rounds", help: "", values: .integer(1...9), isRepeating: true),
      ])
    let table = CommandTable(abstract: "", commands: [compare], defaultCommand: "compare")
    let (parser, words) = (CommandLineParser(table: table, scenarios: ["a"]), ["a", "1", "2"])
    #expect(try Sample.invocation(words, by: parser).positionals == words)
    let error = #expect(throws: UsageError.self) { try parser.parse(["a", "1", "b"]) }
    #expect(
      error?.message == "The value 'b' is invalid for '<rounds>'. Give a whole number from 1 to 9.")
    #expect(error?.usage == "memlab compare <scenario> <rounds> ...")
  }

  @Test("after -- nothing is an option or a command") func terminator() throws {
    #expect(try Sample.invocation(["--", "strong-self"]).command == "run")
    #expect(Sample.error(["--", "list"])?.message == "'list' is not a scenario or a command.")
    #expect(
      Sample.error(["run", "--", "--quiet"])?.message
        == "'--quiet' is not a scenario. See 'memlab list'.")
    #expect(
      Sample.error(["run", "--", "--help"])?.message
        == "'--help' is not a scenario. See 'memlab list'.")
    #expect(Sample.error(["--", "strong-self", "--"])?.message == "Unexpected argument '--'")
  }

  @Test("nothing, help and version are answered without a command")
  func universalRequests() throws {
    let expected: [([String], Request)] = [
      ([], .overview), (["--help"], .help(about: nil)), (["-h"], .help(about: nil)),
      (["help"], .help(about: nil)), (["help", "check"], .help(about: "check")),
      (["help", "strong-self"], .help(about: "strong-self")),
      (["run", "--bogus", "-h"], .help(about: "run")),
      (["strong-self", "--ending", "--help"], .help(about: "run")),
      (["check", "--help"], .help(about: "check")), (["--version"], .version),
      (["list", "--version"], .version),
    ]
    for (words, request) in expected {
      #expect(try Sample.parser.parse(words) == request, "\(words)")
    }
  }
}

@Suite("The table of commands") struct CommandTableTests {
  @Test("a sound table has no problems") func sound() {
    #expect(Sample.table.problems(scenarios: Sample.scenarios) == [])
  }

  @Test("names that are taken twice are found") func duplicates() {
    let table = CommandTable(
      abstract: "",
      commands: [
        CommandSpec(
          "run", abstract: "",
          options: [.flag("a", short: "h", help: ""), .flag("version", help: "")]),
        CommandSpec("help", abstract: ""),
      ], defaultCommand: "go")
    #expect(
      table.problems(scenarios: ["run", "x"]) == [
        "two commands are named 'help'", "the default command 'go' is not in the table",
        "the scenario 'run' has the name of a command", "run: two options '--version'",
        "run: two options '-h'",
      ])
  }

  @Test("arguments that can't be told apart and impossible defaults are found") func ambiguities() {
    let command = CommandSpec(
      "run", abstract: "",
      arguments: [
        ArgumentSpec("many", help: "", isRepeating: true),
        ArgumentSpec("maybe", help: "", isOptional: true), ArgumentSpec("last", help: ""),
      ], options: [.option("format", help: "", values: .oneOf(["text"]), default: "html")])
    let table = CommandTable(abstract: "", commands: [command], defaultCommand: "run")
    #expect(
      table.problems(scenarios: []) == [
        "run: the default of '--format' is not among its values",
        "run: '<many>' repeats but is not the last argument",
        "run: '<maybe>' is optional before '<last>'",
      ])
  }
}

/// A table with one of everything, for the tests of parsing and help.
enum Sample {
  static let scenarios = [
    "captured-dependency", "deinit-finish", "on-termination", "strong-self", "struct-inout-race",
    "weak-self-guard",
  ]

  static let run = CommandSpec(
    "run", abstract: "Run a scenario and report what stays alive.",
    discussion: "A leak shown on purpose is a success.",
    arguments: [ArgumentSpec("scenario", help: "The scenario to run.", values: .scenario)],
    options: [
      .option(
        "ending", short: "e", valueName: "name", help: "Run only one ending.",
        values: .oneOf(["cancel", "drop", "finish"])),
      .option(
        "format", help: "How the report is written.", values: .oneOf(["text", "json"]),
        default: "text"),
      .option(
        "schedules", valueName: "n", help: "Explore other orders of the same jobs.",
        values: .integer(1...1000)),
      .option("seed", valueName: "n", help: "The first order.", values: .integer(0...Int.max)),
      .option("tag", help: "Mark the report.", isRepeating: true),
      .flag("quiet", short: "q", help: "Print the verdict only."),
    ])

  static let color = OptionSpec.option(
    "color", valueName: "when", help: "Use colour.", values: .oneOf(["auto", "always", "never"]),
    default: "auto")

  static let check = CommandSpec(
    "check", abstract: "Compare every scenario with what it declares.",
    arguments: [
      ArgumentSpec(
        "scenario", help: "The scenarios to check; all of them if none is named.",
        values: .scenario, isOptional: true, isRepeating: true)
    ])

  static let table = CommandTable(
    abstract: "A laboratory for Swift's memory behaviour under concurrency.",
    commands: [
      run, CommandSpec("list", abstract: "List all scenarios.", options: [color]), check,
    ], defaultCommand: "run")

  static let parser = CommandLineParser(table: table, scenarios: scenarios)

  /// The error a command line ends in, as it is printed; `nil` if it is understood.
  static func error(_ words: [String], by parser: CommandLineParser = Sample.parser) -> UsageError?
  {
    do {
      _ = try parser.parse(words)
      return nil
    } catch { return error }
  }

  /// The command a command line runs; throws if it asks for anything else.
  static func invocation(
    _ words: [String], by parser: CommandLineParser = Sample.parser
  ) throws -> Invocation {
    let request = try parser.parse(words)
    guard case .command(let invocation) = request else { throw NotACommand(request: request) }
    return invocation
  }

  struct NotACommand: Error { let request: Request }
}
