import Foundation
import MemlabCourse
import MemlabExercises
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("Completions for other shells") struct OtherCompletionTests {
  private static let exercises = Exercises.all.map(\.number)

  private static let lines: [(String, [String], [String])] = [
    ("memlab ", Catalog.scenarios.map(\.id) + ["check", "doctor"], ["--help"]),
    ("memlab deinit-finish --ending ", ["cancel", "drop", "finish"], ["demo"]),
    ("memlab run --format json ", ["deinit-finish"], ["check"]),
    ("memlab check strong-self ", ["deinit-finish"], ["check"]),
    ("memlab check --", ["--format", "--family", "--only"], ["--cost"]),
    ("memlab check --family ", Catalog.families, ["deinit-finish"]),
    ("memlab completions ", ["bash", "zsh", "fish"], ["deinit-finish"]),
    ("memlab lesson ", Catalog.lessons + ["deinit-finish"], ["2", "check"]),
    ("memlab lesson 2", ["2"], []),
    ("memlab exercise ", ["list", "hint", "01"], ["1", "deinit-finish"]),
    ("memlab exercise 1", ["1"], []), ("memlab exercise reset ", exercises, ["list", "1"]),
    ("memlab exercise hint 1", ["1"], []), ("memlab show ", ["deinit-finish"], ["check"]),
    ("memlab hint ", ["deinit-finish"], ["check"]), ("memlab walk ", ["deinit-finish"], ["check"]),
    ("memlab walk weak-self-loop --ending ", ["tick", "drop"], ["cancel"]),
    ("memlab matrix ", Catalog.families, ["deinit-finish"]),
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
