import MemlabCLI
import MemlabKit
import MemlabReports
import MemlabTerminalText

/// `memlab hint <scenario>`: the question to answer before running it, and help with it.
enum HintCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenario = session.scenario(invocation.positionals[0])
    let width = session.terminal(for: invocation).width
    let (id, program) = (scenario.id, invocation.program)
    let commands = ["the code: \(program) show \(id)", "the answer: \(program) \(id)"]
    let hint = ProseLines.paragraph("Hint: " + scenario.hint, indent: "  ", width: width) + [""]
    try session.write(
      [StyledText(scenario.id, .heading) + StyledText(" · " + scenario.title), ""]
        + questions(of: scenario, width: width) + [""] + (scenario.hint.isEmpty ? [] : hint)
        + NextLines.commands(commands, width: width), for: invocation)
    return .success
  }

  /// The scenario's question, and those of endings that have their own.
  private static func questions(of scenario: Scenario, width: Int) -> [StyledText] {
    let common = ProseLines.paragraph(scenario.question, indent: "  ", width: width)
    let own = scenario.endings.compactMap { ending in
      ending.question.map { "Ending \(ending.name): \($0)" }
    }
    return common + own.flatMap { [""] + ProseLines.paragraph($0, indent: "  ", width: width) }
  }
}
