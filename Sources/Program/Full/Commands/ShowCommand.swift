import MemlabCLI
import MemlabKit
import MemlabTerminalText
import MemlabWalk

/// `memlab show <scenario>`: the code under study, without running it.
enum ShowCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let scenario = session.scenario(invocation.positionals[0])
    let listings = Listing.of(scenario)
    guard !listings.isEmpty else {
      throw SentenceError(
        "the code of '\(scenario.id)' is not in this build; mark it in its source with "
          + "'// snippet:code' and '// snippet:end', and build again")
    }
    var lines = [StyledText(scenario.id, .heading) + StyledText(" · " + scenario.title)]
    let width = session.terminal(for: invocation).width
    for listing in listings { lines += [""] + ListingLines.lines(of: listing, width: width) }
    lines += ["", StyledText("question and hint: \(invocation.program) hint \(scenario.id)", .dim)]
    try session.write(lines, for: invocation)
    return .success
  }
}
