/// What a command line asks for.
package enum Request: Sendable, Equatable {
  /// Nothing at all was typed after the program's name.
  case overview

  /// The help page of a command or of a scenario; `nil` is the whole program.
  case help(about: String?)

  /// The version of the program.
  case version

  /// A command, with its arguments and options checked.
  case command(Invocation)
}
