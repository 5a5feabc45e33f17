/// Which module this is.
public let module = "TerminalText"
