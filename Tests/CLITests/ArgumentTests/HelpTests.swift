import MemlabCLI
import MemlabCourse
import MemlabTerminalText
import TestSupport
import Testing

@Suite("Help pages") struct HelpTests {
  @Test("a command's page has overview, usage, arguments and options") func commandPage() {
    #expect(
      Sample.table.help(for: "run") == """
        OVERVIEW: Run a scenario and report what stays alive.

        A leak shown on purpose is a success.

        USAGE: memlab run <scenario> [--ending <name>] [--format <format>]
                 [--schedules <n>] [--seed <n>] [--tag <tag>] [--quiet]

        ARGUMENTS:
          <scenario>              The scenario to run.

        OPTIONS:
          -e, --ending <name>     Run only one ending. (values: cancel, drop, finish)
          --format <format>       How the report is written. (values: text, json;
                                  default: text)
          --schedules <n>         Explore other orders of the same jobs.
          --seed <n>              The first order.
          --tag <tag>             Mark the report.
          -q, --quiet             Print the verdict only.
          --version               Show the version.
          -h, --help              Show help information.

        """)
  }

  @Test("the program's page lists the commands and marks the default one") func programPage() {
    #expect(
      Sample.table.help() == """
        OVERVIEW: A laboratory for Swift's memory behaviour under concurrency.

        USAGE: memlab <scenario> [<options>]
               memlab <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          run (default)           Run a scenario and report what stays alive.
          list                    List all scenarios.
          check                   Compare every scenario with what it declares.
          help                    Show help for a command.

          See 'memlab help <subcommand>' for detailed help.

        """)
  }

  @Test("a label of 24 columns or more has its line to itself") func longLabels() {
    let fits = String(repeating: "a", count: 21)
    let flags = [OptionSpec.flag(fits, help: "Fits."), .flag(fits + "b", help: "Below.")]
    let run = CommandSpec("run", abstract: "R", options: flags)
    let table = CommandTable(abstract: "A", commands: [run], defaultCommand: "run")
    let lines = table.help(for: "run").split(separator: "\n").map(String.init)
    #expect(lines.contains("  --\(fits) Fits."))
    #expect(lines.contains("  --\(fits)b"))
    #expect(lines.contains(String(repeating: " ", count: 26) + "Below."))
  }

  @Test("no line is wider than 80 columns", arguments: [nil, "run", "list", "check", "help"])
  func widths(command: String?) {
    let lines = Sample.table.help(for: command).split(separator: "\n")
    #expect(lines.count > 4)
    #expect(lines.allSatisfy { String($0).displayWidth <= 80 })
  }

  @Test("no line is wider than a narrow terminal, but for one long word", arguments: [40, 50, 60])
  func narrow(columns: Int) {
    let table = Commands.table(of: .memlab)
    let pages =
      [Overview.text(of: .memlab, width: columns), table.help(width: columns)]
      + table.commands.map { table.help(for: $0.name, width: columns) }
    for page in pages {
      let wide = page.split(separator: "\n").filter { String($0).displayWidth > columns }
      #expect(wide.filter { $0.split(separator: " ").count > 1 && !$0.contains("[--") } == [])
    }
  }

  @Test("a line is no wider than 80 columns on a wide terminal") func wide() {
    #expect(Sample.table.help(for: "run", width: 200) == Sample.table.help(for: "run"))
    #expect(Overview.text(of: .memlab, width: 200) == Overview.text(of: .memlab, width: 80))
  }

  @Test("the first screen has 24 lines at most, at 60 columns too", arguments: [60, 80])
  func firstScreen(columns: Int) {
    // The last line break ends the last line, and one more line is the next prompt's.
    #expect(Overview.text(of: .memlab, width: columns).newlineSeparated.count <= 24)
  }

  @Test("lines of a discussion that begin with a space are kept") func discussion() {
    let kept =
      "  memlab run strong-self    # an example that is longer than eighty columns, all of it"
    let table = CommandTable(
      abstract: "A", discussion: "Try:\n\n\(kept)", commands: [Sample.run], defaultCommand: "run")
    #expect(table.help().contains("OVERVIEW: A\n\nTry:\n\n\(kept)\n\nUSAGE:"))
  }
}
