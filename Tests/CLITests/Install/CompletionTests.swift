import Foundation
import MemlabCLI
import MemlabCourse
import MemlabExercises
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("Completions for bash", .enabled(if: Installed.has(Installed.bash)))
struct BashCompletionTests {
  /// What bash would offer for the last of some words, each of these lines being one.
  private static func offered(_ lines: [[String]]) throws -> [Set<String>] {
    let script = try script.get()
    let questions = lines.map { words in
      let quoted = words.map { "'\($0)'" }.joined(separator: " ")
      return "COMP_WORDS=(memlab \(quoted)); COMP_CWORD=\(words.count); _memlab; "
        + "echo \"${COMPREPLY[*]}\""
    }
    let run = try Program(URL(fileURLWithPath: Installed.bash)).run(
      ["--norc", "-c", ([script] + questions).joined(separator: "\n")])
    #expect(run.stderr == "")
    #expect(run.exitCode == 0)
    let answers = run.stdout.split(separator: "\n", omittingEmptySubsequences: false)
    return answers.dropLast().map { Set($0.split(separator: " ").map(String.init)) }
  }

  private static let script = Result { try MemlabBinary.run(["completions", "bash"]).stdout }
  private static let commands = Result {
    try offered([[""]])[0].subtracting(Catalog.scenarios.map(\.id)).sorted()
  }

  /// The help of each command.
  private static let help = Result {
    try commands.get().map { (command: $0, text: try MemlabBinary.run(["help", $0]).stdout) }
  }

  private static let exercises = Exercises.all.map(\.number)
  private static let exerciseNames = Exercises.all.map(\.name)

  // Files that some machines have as well, and that begin in the same way.
  private static let notEverywhere: Set<String> = [
    "/etc/host.conf", "/etc/hosts.allow", "/etc/hosts.deny",
  ]

  @Test("offer every scenario, hyphens and all, and every command") func firstWord() throws {
    let ids = Catalog.scenarios.map(\.id)
    for (id, offered) in zip(ids, try Self.offered(ids.map { [String($0.dropLast(2))] })) {
      #expect(offered.contains(id))
    }
    let (help, commands) = try (MemlabBinary.run(["--help"]).stdout, Self.commands.get())
    for command in commands { #expect(help.contains("\n  \(command) ")) }
    #expect(Set(commands).isSuperset(of: ["run", "list", "check", "help", "completions"]))
  }

  @Test("offer every option of every command") func options() throws {
    let help = try Self.help.get()
    for (page, offered) in zip(help, try Self.offered(help.map { [$0.command, "--"] })) {
      let declared = page.text.matches(of: /\n  (?:-\w, )?(--[a-z-]+)/).map { String($0.1) }
      #expect(offered == Set(declared), "\(page.command)")
    }
  }

  @Test("offer every value that help lists") func values() throws {
    let options = try Self.help.get().flatMap { page in
      page.text.replacing(/\s+/, with: " ")
        .matches(of: /(--[a-z-]+) <[^>]+> [^(<]*\(values: ([^;)]+)/)
        .map { (words: [page.command, String($0.1)], values: Set($0.2.split(separator: ", "))) }
    }
    #expect(options.count > 10)
    let spaced = try Self.offered(options.map { $0.words + [""] })
    let joined = try Self.offered(options.map { $0.words + ["=", ""] })
    for (option, offered) in zip(options, zip(spaced, joined)) {
      let values = Set(option.values.map(String.init))
      #expect(offered == (values, values), "\(option.words)")
    }
  }

  @Test("offer the endings of the scenario that is named") func endings() throws {
    let lines = Catalog.scenarios.flatMap { scenario in
      [[scenario.id], ["run", scenario.id], ["check", scenario.id]].map { words in
        (words: words + ["--ending", ""], endings: Set(scenario.endings.map(\.name)))
      }
    }
    for (line, offered) in zip(lines, try Self.offered(lines.map(\.words))) {
      #expect(offered == line.endings, "\(line.words)")
    }
  }

  private static let lines: [(words: [String], offered: Set<String>)] = [
    (["run", "--format", "json", "deinit"], ["deinit-finish"]),
    (["--ending", "drop", "deinit"], ["deinit-finish"]),
    (["check", "strong-self", "deinit"], ["deinit-finish"]), (["strong-self", "deinit"], []),
    (["help", "che"], ["check"]), (["check", "--format", "=", "j"], ["json", "junit"]),
    (["completions", ""], ["bash", "fish", "zsh"]), (["check", "--schedules", ""], ["all"]),
    (["list", ""], []), (["lesson", "0"], Set(Catalog.lessons.filter { $0.hasPrefix("0") })),
    (["lesson", "2"], ["2"]), (["lesson", "deinit"], ["deinit-finish"]),
    (["exercise", "h"], ["hint"]),
    (["exercise", "1"], Set(["1"] + exercises.filter { $0.hasPrefix("1") })),
    (["exercise", "01"], ["01"]), (["exercise", "hint", ""], Set(exercises + exerciseNames)),
    (["exercise", "reset", "2"], Set(["2"] + exercises.filter { $0.hasPrefix("2") })),
    (["show", "deinit"], ["deinit-finish"]),
    (["hint", "deinit"], ["deinit-finish"]), (["walk", "deinit"], ["deinit-finish"]),
    (["walk", "deinit-finish", "--ending", "d"], ["drop"]),
    (["matrix", ""], Set(App.memlab.families)),
    (["compare", "strong-self", "deinit"], ["deinit-finish"]),
    (["compare", "strong-self", "deinit-finish", "--ending", "f"], ["finish"]),
    (["report", "strong-self", "deinit"], ["deinit-finish"]),
    (["report", "--html", "/etc/host"], ["/etc/hosts", "/etc/hostname"]),
    (["report", "--html", "=", "/etc/hostn"], ["/etc/hostname"]),
    (["help", "deinit"], ["deinit-finish"]),
  ]

  @Test("know where they are on the line") func places() throws {
    for (line, offered) in zip(Self.lines, try Self.offered(Self.lines.map(\.words))) {
      #expect(offered.subtracting(Self.notEverywhere) == line.offered, "\(line.words)")
    }
  }
}

@Suite("Completions for other shells") struct OtherCompletionTests {
  private static let exercises = Exercises.all.map(\.number)

  private static let lines: [(String, [String], [String])] = [
    ("memlab ", Catalog.scenarios.map(\.id) + ["check", "doctor"], ["--help"]),
    ("memlab deinit-finish --ending ", ["cancel", "drop", "finish"], ["demo"]),
    ("memlab run --format json ", ["deinit-finish"], ["check"]),
    ("memlab check strong-self ", ["deinit-finish"], ["check"]),
    ("memlab check --", ["--format", "--family", "--only"], ["--cost"]),
    ("memlab check --family ", App.memlab.families, ["deinit-finish"]),
    ("memlab completions ", ["bash", "zsh", "fish"], ["deinit-finish"]),
    ("memlab lesson ", Catalog.lessons + ["deinit-finish"], ["2", "check"]),
    ("memlab lesson 2", ["2"], []),
    ("memlab exercise ", ["list", "hint", "01"], ["1", "deinit-finish"]),
    ("memlab exercise 1", ["1"], []), ("memlab exercise reset ", exercises, ["list", "1"]),
    ("memlab exercise hint 1", ["1"], []), ("memlab show ", ["deinit-finish"], ["check"]),
    ("memlab hint ", ["deinit-finish"], ["check"]), ("memlab walk ", ["deinit-finish"], ["check"]),
    ("memlab walk weak-self-loop --ending ", ["tick", "drop"], ["cancel"]),
    ("memlab matrix ", App.memlab.families, ["deinit-finish"]),
    ("memlab compare strong-self ", ["deinit-finish"], ["check"]),
    ("memlab compare strong-self deinit-finish --ending ", ["finish"], ["demo"]),
    ("memlab report strong-self ", ["deinit-finish"], ["check"]),
    ("memlab report --html /etc/host", ["/etc/hosts"], ["deinit-finish"]),
    ("memlab help ", ["deinit-finish", "check"], []),
  ]

  @Test("of fish offer what fits", .enabled(if: Installed.has(Installed.fish)), arguments: lines)
  func fish(line: String, wanted: [String], unwanted: [String]) throws {
    let script = try MemlabBinary.run(["completions", "fish"]).stdout
    let run = try Program(URL(fileURLWithPath: Installed.fish)).run(
      ["--no-config", "-c", script + "\ncomplete -C '\(line)'"])
    #expect(run.stderr == "")
    let offered = run.stdout.split(separator: "\n").map { $0.prefix { $0 != "\t" } }.map(
      String.init)
    #expect(Set(wanted).subtracting(offered) == [])
    #expect(Set(unwanted).intersection(offered) == [])
  }

  // The completion system needs a terminal; what it is given is seen without it.
  @Test("of zsh offer what fits", .enabled(if: Installed.has(Installed.zsh)), arguments: lines)
  func zsh(line: String, wanted: [String], unwanted: [String]) throws {
    let script = try MemlabBinary.run(["completions", "zsh"]).stdout
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
    let question = """
      compadd() { shift; print -rl -- "$@" }
      _files() { print -rl -- ${words[CURRENT]}* }
      \(script)
      words=(\(words.joined(separator: " "))); CURRENT=\(words.count); _memlab
      """
    let run = try Program(URL(fileURLWithPath: Installed.zsh)).run(["-f", "-c", question])
    #expect(run.stderr == "")
    let offered = run.stdout.split(separator: "\n").map(String.init)
    #expect(Set(wanted).subtracting(offered) == [])
    #expect(Set(unwanted).intersection(offered) == [])
  }
}

/// Programs of other people that a test may need, and that a machine may not have.
enum Installed {
  static let bash = "/bin/bash"
  static let fish = "/usr/bin/fish"
  static let zsh = "/usr/bin/zsh"
  static let make = "/usr/bin/make"
  static let groff = "/usr/bin/groff"
  static let mandoc = "/usr/bin/mandoc"

  /// Whether a program is there.
  static func has(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }
}
