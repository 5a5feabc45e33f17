package import MemlabTerminalText

/// Why a program is not watched, or its heap not read.
package enum WatchError: ErrorWithExitCode, CustomStringConvertible, Equatable {
  /// The program cannot be watched, or none can on this machine. The text is a sentence.
  case unwatchable(String)
  /// The heap of a program that is watched could not be read. The text is a sentence.
  case unread(String)
  /// A file is no snapshot, or snapshots do not belong together. The text is a sentence.
  case unfit(String)

  /// A sentence for the person at the terminal.
  package var description: String {
    switch self {
    case .unwatchable(let text), .unread(let text), .unfit(let text): text
    }
  }

  /// The code to end with.
  package var exitCode: ExitCode {
    switch self {
    case .unwatchable, .unfit: .unfit
    case .unread: .untrusted
    }
  }
}
