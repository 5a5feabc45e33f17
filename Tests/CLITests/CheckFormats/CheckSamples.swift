import MemlabCLI
import MemlabKit
import MemlabTerminalText
import Testing

/// Scenarios that come out in each of the ways that a format has to tell of.
enum CheckSamples {
  /// What every format has a rule against.
  static let nasty = "]]> <b>&\"q\"'\\ # 100% %0A, a: b\u{1B}[31m\u{FFFF}\r\nnext\tline\u{2028}end"

  /// A step whose text is nasty breaks its promise.
  static let differing = scenario(
    "differing", [Samples.ending(.clean), broken("bad", nasty), Samples.ending(.leak)])

  /// The second of three endings does not come to rest.
  static let stopping = scenario(
    "stopping",
    [
      Samples.ending(.clean),
      Ending("bad", "-", expects: .nothing, explanation: "-") { lab in
        try lab.step("one") { throw Stop() }
      }, Samples.ending(.clean),
    ])

  /// All is as declared.
  static let sound = scenario("sound", [Samples.ending(.clean)])

  /// What every format is shown: the words after `check`, and what there is to check.
  static let cases: [(name: String, words: [String], scenarios: [Scenario], code: ExitCode)] = [
    ("all is well", [], [sound], .success),
    ("something differs", [], [sound, differing], .unexpected),
    ("something is skipped", ["--only", "so*d"], [sound, differing], .success),
    ("the check stops", [], [sound, stopping, differing], .untrusted),
  ]

  private struct Stop: Error, CustomStringConvertible {
    var description: String { "stopped at \(CheckSamples.nasty)" }
  }

  private static func broken(_ name: String, _ text: String) -> Ending {
    Ending(name, "-", expects: .nothing, explanation: "-") { lab in
      try lab.step(text, until: { false }) {}
    }
  }

  private static func scenario(_ id: String, _ endings: [Ending]) -> Scenario {
    Scenario(
      id: id, title: "a sample", document: Document(file: "none.txt", title: "None"),
      place: "nowhere", lesson: "none", question: "What?", hint: "That.", endings: endings,
      path: "/home/a,b:c/Sources/Course/Scenarios/\(id).swift", line: 7)
  }
}

extension CheckSamples {
  /// What `memlab check` writes of a case, in a format.
  static func output(_ index: Int, format: String) -> String {
    let sample = cases[index]
    let page = Page()
    let code = page.run(["check", "--format", format] + sample.words, sample.scenarios)
    #expect(code == sample.code, "\(sample.name)")
    return page.output
  }

  /// What `memlab check` writes where the planted leak is not seen.
  static func blindOutput(format: String) -> String {
    let page = Page()
    let code = page.run(["check", "--format", format], [sound], selfCheck: Samples.blindSelfCheck)
    #expect(code == .untrusted)
    return page.output
  }
}
