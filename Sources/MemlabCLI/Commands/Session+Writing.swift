import TerminalText

extension Session {
  /// Writes lines to where results go, coloured as the command line wants it.
  func write(_ lines: [StyledText], for invocation: Invocation) throws(OutputError) {
    let usesColor = terminal(for: invocation).usesColor
    for line in lines { try output.write(line.rendered(color: usesColor) + "\n") }
  }
}
