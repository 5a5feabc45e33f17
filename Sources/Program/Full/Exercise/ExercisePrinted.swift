import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// What the learner's code has printed: marked, so that nobody believes it is memlab's.
enum ExercisePrinted {
  private static let most = 8

  /// Whether the environment asks for a backtrace, which is left out otherwise.
  static var hasBacktrace: Bool {
    ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] != nil
  }

  /// The first lines, without what Swift says of a crash; all of them when a backtrace was asked for.
  static func lines(of judged: JudgedEnding, width: Int) -> [StyledText] {
    let isCrash = judged.trial == nil
    let most = isCrash && hasBacktrace ? .max : most
    let all = judged.written.split(separator: "\n").filter { !isCrash || !$0.isOfCrash }
    guard !all.isEmpty else { return [] }
    let rest = all.count > most ? [StyledText("    | … (\(all.count - most) more lines)")] : []
    return ["", StyledText("    your code printed", .dim)]
      + all.prefix(most).map { StyledText("    | \($0.prefix(width - 6))") } + rest
  }
}

extension Substring {
  // The sentence about the crash has what matters of it.
  fileprivate var isOfCrash: Bool {
    contains("Fatal error: ") || hasPrefix("Error: ") || contains("*** ") || contains("💣")
  }
}
