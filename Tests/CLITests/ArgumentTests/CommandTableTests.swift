import MemlabCLI
import Testing

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
