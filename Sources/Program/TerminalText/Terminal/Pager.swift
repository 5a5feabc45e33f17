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
    let check = "command -v \(program(of: command)) >/dev/null || exit \(isMissing)"
    guard let pager = popen("\(check); \(command)", "w") else { return false }
    // A reader who quits early closes the pipe, which is no failure.
    SystemCalls.ignoreBrokenPipes()
    fputs(text, pager)
    return (pclose(pager) >> 8) & 0xFF != isMissing
  }

  // What a shell answers for a program that it cannot find.
  private static let isMissing: Int32 = 127

  private static func program(of command: String) -> Substring {
    command.split(separator: " ").first ?? ""
  }
}
