/// What the words after `$` in a transcript ask for.
enum TranscriptCommand: Equatable {
  /// Run memlab.
  case memlab(arguments: [String], variables: [String: String])
  /// Run the sample of a program with scenarios of its own.
  case ourLab(arguments: [String])
  /// Show the code that the last command ended with.
  case exitCode
  /// A command that no test runs, and whose output is therefore not shown.
  case notRun
  /// None of these.
  case refused(String)

  /// The commands that no test runs, by their first words.
  static let notRunCommands = ["swift test", "swift build", "git clone", "cd", "make"]

  /// Reads the text after `$`.
  init(_ line: String) {
    if line.trimmed == "echo $?" {
      self = .exitCode
    } else if Self.notRunCommands.contains(where: { "\(line.trimmed) ".hasPrefix("\($0) ") }) {
      self = .notRun
    } else {
      do throws(NeedsShell) {
        self = Self.read(try CommandLineWords.split(line))
      } catch {
        self = .refused("'\(error.character)' needs a shell, and transcripts run without one")
      }
    }
  }

  private static func read(_ words: [String]) -> TranscriptCommand {
    let settings = words.prefix { $0.contains("=") && !$0.hasPrefix("-") }
    var variables: [String: String] = [:]
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      variables[String(parts[0])] = String(parts[1])
    }
    let command = words.dropFirst(settings.count)
    for start in [["memlab"], ["swift", "run", "memlab"]] + Self.configured
    where command.starts(with: start) {
      return .memlab(arguments: Array(command.dropFirst(start.count)), variables: variables)
    }
    for start in [["our-lab"], ["swift", "run", "our-lab"]]
    where command.starts(with: start) && variables.isEmpty {
      return .ourLab(arguments: Array(command.dropFirst(start.count)))
    }
    return .refused(
      "a transcript runs 'memlab' or 'swift run memlab'; without output it may also name "
        + notRunCommands.map { "'\($0)'" }.joined(separator: ", "))
  }

  private static let configured = ["debug", "release"].map { ["swift", "run", "-c", $0, "memlab"] }
}
