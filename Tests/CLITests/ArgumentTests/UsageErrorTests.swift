import MemlabCLI
import MemlabTerminalText
import Testing

@Suite("Errors of a command line") struct UsageErrorTests {
  @Test("the first sentence says what is wrong and what may have been meant") func sentences() {
    for (words, sentence) in Self.expected {
      let lines = Sample.error(words)?.description.split(separator: "\n") ?? []
      #expect(lines.first.map(String.init) == "Error: " + sentence, "\(words)")
    }
  }

  static let expected: KeyValuePairs<[String], String> = [
    ["strong-slef"]: "'strong-slef' is not a scenario or a command. Did you mean 'strong-self'?",
    ["chekc"]: "'chekc' is not a scenario or a command. Did you mean 'check'?",
    ["Weak_Self_Guard"]:
      "'Weak_Self_Guard' is not a scenario or a command. Did you mean 'weak-self-guard'?",
    ["xyzzy"]: "'xyzzy' is not a scenario or a command. See 'memlab list'.",
    [""]: "'' is not a scenario or a command. See 'memlab list'.",
    ["run", "lsit"]: "'lsit' is not a scenario. See 'memlab list'.",
    ["check", "strong-self", "strong"]: "'strong' is not a scenario. Did you mean 'strong-self'?",
    ["help", "chek"]: "'chek' is not a scenario or a command. Did you mean 'check'?",
    ["help", "strong"]: "'strong' is not a scenario or a command. Did you mean 'strong-self'?",
    ["run", "strong-self", "--endign", "drop"]:
      "Unknown option '--endign'. Did you mean '--ending'?",
    ["run", "strong-self", "-ending=drop"]: "Unknown option '-ending'. Did you mean '--ending'?",
    ["--endign", "drop", "strong-self"]: "Unknown option '--endign'. Did you mean '--ending'?",
    ["strong-self", "--wombat"]: "Unknown option '--wombat'",
    ["strong-self", "-5"]: "Unknown option '-5'",
    ["strong-self", "--=x"]: "Unknown option '--'",
    ["list", "--ending", "drop"]: "Unknown option '--ending'",
    ["strong-self", "--ending"]: "Missing value for '--ending <name>'",
    ["strong-self", "-e", "-q"]: "Missing value for '--ending <name>'",
    ["strong-self", "--ending", "foo"]:
      "The value 'foo' is invalid for '--ending <name>'. Choose one of: cancel, drop, finish.",
    ["strong-self", "--ending="]:
      "The value '' is invalid for '--ending <name>'. Choose one of: cancel, drop, finish.",
    ["strong-self", "--schedules", "-3"]: "The value '-3' is invalid for '--schedules <n>'. "
      + "Give a whole number from 1 to 1000.",
    ["strong-self", "--seed", "9223372036854775808"]:
      "The value '9223372036854775808' is invalid for '--seed <n>'. "
      + "Give a whole number of at least 0.",
    ["strong-self", "--tag", ""]:
      "The value '' is invalid for '--tag <tag>'. It must not be empty.",
    ["strong-self", "--ending", "drop", "--ending=drop"]:
      "The option '--ending <name>' was given more than once.",
    ["strong-self", "--quiet=yes"]:
      "The option '--quiet' does not take any value, but 'yes' was specified.",
    ["run"]: "Missing expected argument '<scenario>'",
    ["--quiet"]: "Missing expected argument '<scenario>'",
    ["strong-self", "x"]: "Unexpected argument 'x'",
    ["list", "a", "b", "c", "d"]: "4 unexpected arguments: 'a', 'b', 'c' and 1 more",
  ]

  @Test("usage and where to read more follow, for the command concerned") func layout() {
    #expect(
      Sample.error(["check", "x"])?.description == """
        Error: 'x' is not a scenario. See 'memlab list'.
        Usage: memlab check [<scenario> ...]
          See 'memlab check --help' for more information.

        """)
    #expect(
      Sample.error(["strong-slef"])?.description == """
        Error: 'strong-slef' is not a scenario or a command. Did you mean 'strong-self'?
        Usage: memlab <scenario> [<options>]
               memlab <subcommand>
          See 'memlab --help' for more information.

        """)
  }

  @Test("several suggestions read as a sentence, and the program ends with 64")
  func suggestionsAndCode() throws {
    let error = UsageError(
      message: "Wrong.", suggestions: ["a", "b", "c"], usage: "memlab", invocation: "memlab")
    #expect(error.description.hasPrefix("Error: Wrong. Did you mean 'a', 'b' or 'c'?\n"))
    #expect(error.exitCode.rawValue == 64)
  }

  @Test("what was typed can't reach the terminal as a control sequence") func escaping() {
    let message = Sample.error(["\u{1B}[31mred\u{202E}\n\u{FFFD}\u{9B}1m"])?.message
    #expect(
      message
        == #"'\u{1B}[31mred\u{202E}\u{A}\u{FFFD}\u{9B}1m' is not a scenario or a command. See 'memlab list'."#
    )
    #expect(Sample.error(["--\u{7}=1"])?.message == #"Unknown option '--\u{7}'"#)
    let long = Sample.error(["run", String(repeating: "가", count: 100_000)])?.message
    #expect(
      long == "'" + String(repeating: "가", count: 60) + "…' is not a scenario. See 'memlab list'.")
  }

  @Test("a combining mark hides neither the dashes nor the sign of equality")
  func combiningMarks() throws {
    #expect(Sample.error(["strong-self", "--\u{301}x"])?.message == "Unknown option '--\u{301}x'")
    let tagged = try Sample.invocation(["strong-self", "--tag=\u{301}x"])
    #expect(tagged.values("tag") == ["\u{301}x"])
  }
}

@Suite("Suggestions") struct SuggestionTests {
  private func suggestions(for word: String, among scenarios: [String]) -> [String]? {
    let table = CommandTable(
      abstract: "", commands: [CommandSpec("run", abstract: "")], defaultCommand: "run")
    let parser = CommandLineParser(table: table, scenarios: scenarios)
    return Sample.error([word], by: parser)?.suggestions
  }

  @Test("a swap of neighbours is one edit, so it comes before two replacements")
  func swapsAreOneEdit() {
    #expect(suggestions(for: "abdc", among: ["abaa", "abcd"]) == ["abcd", "abaa"])
  }

  @Test("at most three names, the closest first, equal ones by alphabet") func order() {
    let names = ["lane-d", "lane-c", "lane-b", "lane-a", "line-x"]
    #expect(suggestions(for: "lane-x", among: names) == ["lane-a", "lane-b", "lane-c"])
    #expect(suggestions(for: "lane-x", among: names.reversed()) == ["lane-a", "lane-b", "lane-c"])
  }

  @Test("case and underscores don't count, and a much better name is not drowned") func spelling() {
    let names = ["lune-b", "lane-b", "lane-a"]
    #expect(suggestions(for: "LANE_A", among: names) == ["lane-a", "lane-b"])
    #expect(suggestions(for: "a_b_c_d", among: ["a-b-c-d"]) == ["a-b-c-d"])
  }

  @Test("the beginning of a name is enough, nothing like a name is not") func beginnings() {
    #expect(suggestions(for: "captured", among: ["captured-dependency"]) == ["captured-dependency"])
    #expect(suggestions(for: "ca", among: ["captured-dependency"]) == [])
    #expect(suggestions(for: "zebra", among: ["captured-dependency"]) == [])
  }

  @Test("a short word is not turned into another one") func shortWords() {
    #expect(suggestions(for: "q", among: ["ab", "xyz"]) == [])
    #expect(suggestions(for: "abx", among: ["aby"]) == ["aby"])
  }

  @Test("a very long word costs nothing and suggests nothing") func longWords() {
    let word = String(repeating: "strong-self", count: 100_000)
    #expect(suggestions(for: word, among: ["strong-self"]) == [])
  }
}

extension UsageError {
  /// Whether it can be shown: an error in so many lines at the most, with few suggestions and with
  /// nothing that a terminal would obey.
  func isPrintable(lines: Int) -> Bool {
    let scalars = description.unicodeScalars
    return description.hasPrefix("Error: ") && suggestions.count <= 3
      && scalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
      && scalars.filter { $0 == "\n" }.count <= lines
  }
}
