import MemlabKit
package import MemlabTerminalText

/// A program of this kind: a command line in, an exit code out.
package struct Memlab: Sendable {
  /// The version that `--version` prints.
  package static let version = "0.1.0"

  private let session: Session

  /// The program in this session.
  package init(session: Session) { self.session = session }

  /// This program, on the standard outputs.
  package init(_ app: App) { self.init(session: .ofProgram(app)) }

  /// Runs a command line.
  ///
  /// - Parameter words: what was typed after the program's name; nil where that cannot be read.
  /// - Returns: the exit code; errors have been written.
  package func run(_ words: [String]?) -> ExitCode {
    guard let words else {
      return complain(
        "Error: what was typed cannot be read; on Linux, mount /proc and try again\n", .untrusted)
    }
    do { return try answer(words) } catch let error as UsageError {
      return complain(error.description, .usage)
    } catch let error as OutputError {
      return complain(error.description, .cannotWrite)
    } catch let error as any ErrorWithExitCode {
      return complain("Error: \(error)\n", error.exitCode)
    } catch  where error is ExpectedFileError || error is UnfitOrder {
      return complain("Error: \(error)\n", .usage)
    } catch {
      return complain("Error: \(error)\n", .untrusted)
    }
  }

  /// The parser of command lines, or only of those that begin with a word.
  package func parser(for word: String? = nil) -> CommandLineParser {
    CommandLineParser(
      table: Commands.table(of: session.app, for: word), scenarios: session.scenarios.map(\.id),
      families: session.app.families)
  }

  /// Runs a command line of a program whose scenarios nobody has tested: says first what is wrong with
  /// them.
  ///
  /// - Parameter words: what was typed after the program's name; nil where that cannot be read.
  /// - Returns: the exit code; errors have been written.
  package func runUntested(_ words: [String]?) -> ExitCode {
    let problems = session.app.problems
    return problems.isEmpty
      ? run(words) : complain(problems.map { "Error: \($0)\n" }.joined(), .usage)
  }

  private func answer(_ words: [String]) throws -> ExitCode {
    let parser = parser(for: words.first)
    switch try parser.parse(words) {
    case .overview: try session.output.write(Overview.text(of: session.app, width: width))
    case .help(let topic):
      let scenario = session.scenarios.first { $0.id == topic }
      try session.output.write(
        scenario.map { Overview.text(about: $0, in: session.app, width: width) }
          ?? parser.table.help(for: topic, width: width))
    case .version: try session.output.write(session.app.version + "\n")
    case .command(let invocation):
      guard let command = session.app.commands[invocation.command] else {
        preconditionFailure("the parser let an unknown command pass: \(invocation.command)")
      }
      // A process that is copied must have one thread, so each copy starts a watchdog of its own.
      if !(command.measuresMany && session.measuresApart) { startWatchdog() }
      var session = session
      session.app = try session.app.expectingRecorded()
      return try command.run(invocation, in: session)
    }
    return .success
  }

  private var width: Int { Terminal(descriptor: session.output.descriptor).width }

  // Nothing is cleaned up: the thread that would do it is the one that hangs.
  private func startWatchdog() {
    guard let limit = session.standstillLimit else { return }
    Watchdog.start(limit: limit) { error in
      _exit(complain("Error: \(error)\n", .untrusted).rawValue)
    }
  }

  private func complain(_ text: String, _ code: ExitCode) -> ExitCode {
    // Where even the error cannot be written, the exit code reports it.
    try? session.errors.write(text)
    return code
  }
}
