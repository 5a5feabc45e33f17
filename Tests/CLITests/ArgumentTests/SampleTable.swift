import MemlabCLI

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
        values: .integer(1...1000, or: ["all"])),
      .option("seed", valueName: "n", help: "The first order.", values: .integer(0...Int.max)),
      .option("tag", help: "Mark the report.", isRepeating: true),
      .flag("quiet", short: "q", help: "Print the verdict only."),
    ])

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
      run, CommandSpec("list", abstract: "List all scenarios.", options: [.color]), check,
    ], defaultCommand: "run")

  static let parser = CommandLineParser(table: table, scenarios: scenarios)

  /// The error a command line ends in, as it is printed; `nil` if it is understood.
  static func error(_ words: [String]) -> UsageError? {
    do {
      _ = try parser.parse(words)
      return nil
    } catch { return error }
  }

  /// The command a command line runs; throws if it asks for anything else.
  static func invocation(_ words: [String]) throws -> Invocation {
    let request = try parser.parse(words)
    guard case .command(let invocation) = request else { throw NotACommand(request: request) }
    return invocation
  }

  struct NotACommand: Error { let request: Request }
}
