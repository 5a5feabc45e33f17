import Foundation
import MemlabPlatform
import TestSupport
import Testing

@Suite("Names that a terminal or a build server would obey") struct HostileNameTests {
  private static func run(
    _ words: [String], set: String = "hostile", name: String = Hostile.name, columns: Int = 80
  ) throws -> ProgramResult {
    try MemlabBinary.run(
      [set] + words, of: "HardCases",
      environment: ["HOSTILE_NAME": name, "COLUMNS": "\(columns)"])
  }

  @Test(
    "are shown by each command, of tasks, types, titles, endings and figures alike",
    arguments: [
      "list", "list --format json", "hint hostile", "hostile --help", "help hostile", "doctor",
      "completions bash", "completions zsh", "completions fish", "man", "--help",
    ])
  func unmeasured(line: String) throws {
    let run = try Self.run(line.split(separator: " ").map(String.init)).exits(0)
    #expect(Hostile.obeyed(in: run.stdout + "\n" + run.stderr) == [])
  }

  @Test("are not completed where a shell would run them", arguments: ["bash", "zsh", "fish"])
  func completed(shell: String) throws {
    let script = try Self.run(["completions", shell], name: "$(x)").exits(0).stdout
    #expect(!script.contains("='$(x)") && !script.contains("-a '$(x)"), "\(script)")
  }

  @Test(
    "are shown in each report and picture", .needsHeap,
    arguments: [
      "hostile", "hostile --format json", "hostile --schedules 2", "matrix",
      "compare hostile hostile", "film hostile", "report --html - hostile", "walk hostile",
      "walk hostile --predict live=1,held=cycle", "check", "check --format json",
      "check --format junit", "check --format tap", "check --format github",
      "graph hostile --format mermaid", "graph hostile --format dot",
      "graph hostile --format text", "graph hostile --step 1 --format mermaid",
      "graph hostile --step 1 --format dot", "graph hostile --step 1 --format text",
    ].filter { OtherSwift.canRun($0.split(separator: " ").map(String.init)) })
  func measured(line: String) throws {
    let run = try Self.run(line.split(separator: " ").map(String.init))
    // More is alive than the scenario declares.
    #expect(run.exitCode == 1, "\(run.stderr)")
    #expect(!run.stdout.isEmpty)
    #expect(Hostile.obeyed(in: run.stdout + "\n" + run.stderr) == [])
  }

  @Test("are shown of a step that crashes", arguments: ["crashing", "check"])
  func crash(command: String) throws {
    let run = try Self.run([command], set: "hostile-crash").says("\\u{1B}]0;title")
    #expect(run.stderr.contains("\\u{1B}]0;title") || command == "check", "\(run.stderr)")
    #expect(Hostile.obeyed(in: run.stdout + "\n" + run.stderr) == [], "\(run.stderr)")
  }

  @Test("stay in one line, of tasks and endings") func oneLine() throws {
    let text = try Self.run(["check"], columns: 400).stdout
    let name = Hostile.name.shown()
    #expect(text.contains("Not as declared: hostile declared, hostile \(name)\n"), "\(text)")
    #expect(text.contains("- task \(name): "), "\(text)")
    #expect(text.matches(of: /- task/).count == 2, "\(text)")
  }

  @Test("do not break the lines of a picture", .needsHeap, arguments: ["--step 1", ""])
  func lines(step: String) throws {
    let words = ["graph", "hostile"] + step.split(separator: " ").map(String.init)
    let dot = try Self.run(words + ["--format", "dot"]).stdout.split(separator: "\n")
    #expect(dot.first?.hasPrefix("// hostile, ending declared") == true)
    #expect(
      dot.dropFirst().allSatisfy { $0.contains(/^(digraph ownership \{|  \w.*|\})$/) }, "\(dot)")
    let mermaid = try Self.run(words + ["--format", "mermaid"]).stdout.split(separator: "\n")
    #expect(mermaid.first?.hasPrefix("%% hostile, ending declared") == true)
    #expect(
      mermaid.dropFirst().allSatisfy { $0.contains(/^(flowchart LR|  (n|c).*)$/) }, "\(mermaid)")
    let text = try Self.run(words + ["--format", "text"]).stdout.split(separator: "\n")
    #expect(text.dropFirst().allSatisfy { $0.hasPrefix("  ") }, "\(text)")
  }

  @Test("do not end a label of a picture by a mark on its quotation mark", .needsHeap)
  func marks() throws {
    let name = "a\"\u{301}]; b\\\u{301}"
    let words = ["graph", "hostile", "--step", "1", "--format"]
    let dot = try Self.run(words + ["dot"], name: name).stdout.unicodeScalars
    let label = "[label=\"variable a\\\"\u{301}]; b\\\\\u{301}\"".unicodeScalars
    #expect(dot.firstRange(of: label) != nil, "\(String(dot))")
    let mermaid = try Self.run(words + ["mermaid"], name: name).stdout.unicodeScalars
    for line in mermaid.split(separator: "\n").dropFirst() {
      #expect([0, 2, 4].contains(line.count { $0 == "\"" }), "\(String(mermaid))")
    }
    #expect(mermaid.firstRange(of: "variable a#quot;\u{301}]".unicodeScalars) != nil)
  }

  @Test("are shown between memlab's own colours", arguments: ["hostile", "check", "matrix"])
  func coloured(command: String) throws {
    let run = try Self.run([command, "--color", "always"])
    #expect(run.stdout.contains("\u{1B}[31m") || run.stdout.contains("\u{1B}[2m"))
    #expect(Hostile.obeyed(in: run.stdout, colors: true).filter { $0.hasPrefix("U+") } == [])
  }

  @Test(
    "are shown in errors",
    arguments: [
      ["NAME"], ["--NAME"], ["hostile", "--ending", "NAME"], ["hostile", "--scheduler", "NAME"],
      ["check", "NAME"], ["report", "--html", "/nowhere/NAME", "hostile"], ["completions", "NAME"],
      ["hostile", "--format", "NAME"], ["graph", "NAME"],
    ])
  func errors(words: [String]) throws {
    let run = try Self.run(words.map { $0.replacing("NAME", with: "no" + Hostile.name) })
    #expect([64, 74].contains(run.exitCode))
    #expect(run.stderr.contains("\\u{1B}]0;title\\u{7}"), "\(run.stderr)")
    #expect(Hostile.obeyed(in: run.stdout + run.stderr) == [])
  }
}
