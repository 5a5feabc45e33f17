/// A program that is run to its end.
package enum ChildProcess {
  /// Runs a program on this program's own terminal and waits until it has ended.
  ///
  /// - Parameter output: the descriptor that is its standard output.
  /// - Returns: what ``end(of:)`` does.
  /// - Throws: `ChildProcessError` when it cannot be started.
  @discardableResult
  package static func runInTerminal(
    _ executable: String, _ arguments: [String], output: Int32 = 1
  ) throws(ChildProcessError) -> (code: Int32, processorTime: Duration) {
    let (id, failure) = CLibrary.spawn([executable] + arguments, output: output)
    guard failure == 0 else { throw ChildProcessError(code: failure) }
    return end(of: id)
  }

  /// Waits until a child has ended.
  ///
  /// - Returns: the code that it ended with, which is 128 and the signal's number if a signal ended it, as in a
  ///   shell; and how long processors have worked for it.
  package static func end(of id: pid_t) -> (code: Int32, processorTime: Duration) {
    var (status, usage) = (Int32(), rusage())
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    // As WIFSIGNALED, WTERMSIG and WEXITSTATUS have it; macros do not reach Swift.
    let signal = status & 0x7F
    let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    return (code, usage.ru_utime.duration + usage.ru_stime.duration)
  }
}

extension timeval {
  fileprivate var duration: Duration { .seconds(tv_sec) + .microseconds(Int64(tv_usec)) }
}

/// A program could not be started.
package struct ChildProcessError: Error, CustomStringConvertible {
  /// The operating system's `errno`.
  package let code: Int32

  package var description: String {
    "memlab could not start itself: \(String(cString: strerror(code)))"
  }
}

/// The program that shows long texts page by page on a terminal.
package enum Pager {
  /// Shows a text with the program in `PAGER`, or with `less`.
  ///
  /// - Returns: whether it was shown; not when `PAGER` is empty or `cat`, or cannot be run.
  package static func show(_ text: String) -> Bool {
    let command = SystemCalls.environment("PAGER") ?? "less"
    guard !command.isEmpty, command != "cat" else { return false }
    // As git has it: quit if it fits on the screen, let colours through, leave the text there.
    setenv("LESS", "FRX", 0)
    // memlab always writes UTF-8; in the locale C, less would show it as bytes.
    setenv("LESSCHARSET", "utf-8", 0)
    let name = command.split(separator: " ").first ?? ""
    let check = "command -v \(name) >/dev/null || exit \(isMissing)"
    guard let pager = popen("\(check); \(command)", "w") else { return false }
    // A reader who quits early closes the pipe, which is no failure.
    SystemCalls.ignoreSignalsOfWrites()
    fputs(text, pager)
    return (pclose(pager) >> 8) & 0xFF != isMissing
  }

  // What a shell answers for a program that it cannot find.
  private static let isMissing: Int32 = 127
}
