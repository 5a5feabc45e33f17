import Foundation
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
    let script = try MemlabBinary.run(["completions", "bash"]).stdout
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

  private static func offered(_ words: [String]) throws -> Set<String> {
    try #require(try offered([words]).first)
  }

  private static let exercises = Exercises.all.map(\.number)
  private static let exerciseNames = Exercises.all.map(\.name)

  // Files that some machines have as well, and that begin in the same way.
  private static let notEverywhere: Set<String> = [
    "/etc/host.conf", "/etc/hosts.allow", "/etc/hosts.deny",
  ]

  private static var commands: Set<String> {
    get throws { try offered([""]).subtracting(Catalog.scenarios.map(\.id)) }
  }

  @Test("offer every scenario, hyphens and all, and every command")
  func firstWord() throws {
    let ids = Catalog.scenarios.map(\.id)
    for (id, offered) in zip(ids, try Self.offered(ids.map { [String($0.dropLast(2))] })) {
      #expect(offered.contains(id))
    }
    let help = try MemlabBinary.run(["--help"]).stdout
    for command in try Self.commands { #expect(help.contains("\n  \(command) ")) }
    #expect(try Self.commands.isSuperset(of: ["run", "list", "check", "help", "completions"]))
  }

  @Test("offer every option of every command")
  func options() throws {
    for command in try Self.commands {
      let help = try MemlabBinary.run(["help", command]).stdout
      let declared = help.matches(of: /\n  (?:-\w, )?(--[a-z-]+)/).map { String($0.1) }
      #expect(try Self.offered([command, "--"]) == Set(declared), "\(command)")
    }
  }

  @Test("offer every value that help lists")
  func values() throws {
    for command in try Self.commands {
      let help = try MemlabBinary.run(["help", command]).stdout.replacing(/\s+/, with: " ")
      for option in help.matches(of: /(--[a-z-]+) <[^>]+> [^(<]*\(values: ([^;)]+)/) {
        let values = Set(option.2.split(separator: ", ").map(String.init))
        #expect(try Self.offered([command, String(option.1), ""]) == values, "\(option.1)")
        #expect(try Self.offered([command, String(option.1), "=", ""]) == values)
      }
    }
  }

  @Test("offer the endings of the scenario that is named")
  func endings() throws {
    for scenario in Catalog.scenarios {
      let endings = Set(scenario.endings.map(\.name))
      let lines = [[scenario.id], ["run", scenario.id], ["check", scenario.id]]
      for offered in try Self.offered(lines.map { $0 + ["--ending", ""] }) {
        #expect(offered == endings)
      }
    }
  }

  private static let lines: [(words: [String], offered: Set<String>)] = [
    (["run", "--format", "json", "deinit"], ["deinit-finish"]),
    (["--ending", "drop", "deinit"], ["deinit-finish"]),
    (["check", "strong-self", "deinit"], ["deinit-finish"]),
    (["strong-self", "deinit"], []),
    (["help", "che"], ["check"]),
    (["check", "--format", "=", "j"], ["json", "junit"]),
    (["completions", ""], ["bash", "fish", "zsh"]),
    (["check", "--schedules", ""], ["all"]),
    (["list", ""], []),
    (["lesson", "0"], Set(Catalog.lessons.filter { $0.hasPrefix("0") })),
    (["lesson", "2"], ["2"]),
    (["lesson", "deinit"], ["deinit-finish"]),
    (["exercise", "h"], ["hint"]),
    (["exercise", "1"], Set(["1"] + exercises.filter { $0.hasPrefix("1") })),
    (["exercise", "01"], ["01"]),
    (["exercise", "hint", ""], Set(exercises + exerciseNames)),
    (["exercise", "reset", "2"], ["2"]),
    (["show", "deinit"], ["deinit-finish"]),
    (["hint", "deinit"], ["deinit-finish"]),
    (["walk", "deinit"], ["deinit-finish"]),
    (["walk", "deinit-finish", "--ending", "d"], ["drop"]),
    (["matrix", ""], Set(Catalog.families)),
    (["compare", "strong-self", "deinit"], ["deinit-finish"]),
    (["compare", "strong-self", "deinit-finish", "--ending", "f"], ["finish"]),
    (["report", "strong-self", "deinit"], ["deinit-finish"]),
    (["report", "--html", "/etc/host"], ["/etc/hosts", "/etc/hostname"]),
    (["report", "--html", "=", "/etc/hostn"], ["/etc/hostname"]),
    (["help", "deinit"], ["deinit-finish"]),
  ]

  @Test("know where they are on the line", arguments: lines)
  func places(words: [String], offered: Set<String>) throws {
    #expect(try Self.offered(words).subtracting(Self.notEverywhere) == offered)
  }
}
