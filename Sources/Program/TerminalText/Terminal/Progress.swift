/// Shows progress on the last line of a terminal, once something takes longer than a second.
///
///     let progress = Progress(on: session.errors)
///     defer { progress.clear() }
///     for round in 1...rounds { progress.show("round \(round)"); … }
///
/// Where the output is no terminal, it writes nothing. It counts processor time: memlab's scheduler
/// stops the clocks of its thread.
package final class Progress {
  private static let delay = Duration.seconds(1)
  private static let pause = Duration.milliseconds(100)

  private let output: Output
  private let terminal: Terminal
  private let now: () -> Duration
  private var next: Duration
  private var shownWidth = 0

  /// Starts the delay of one second.
  ///
  /// - Parameters:
  ///   - output: Where the line stands; not where results go.
  ///   - terminal: What that place can show, if it is not to be asked.
  ///   - now: The time that has passed since some moment.
  package init(
    on output: Output, terminal: Terminal? = nil, now: @escaping () -> Duration = ProcessorTime.now
  ) {
    self.output = output
    self.terminal = terminal ?? Terminal(descriptor: output.descriptor)
    self.now = now
    next = now() + Self.delay
  }

  /// Shows how far it has come; at most ten times a second.
  package func show(_ text: @autoclosure () -> String) {
    guard terminal.isInteractive, now() >= next else { return }
    next = now() + Self.pause
    // One column stays free: some terminals go to the next line as soon as the last one is full.
    let text = text().truncated(to: terminal.width - 1)
    write("\r" + text.padded(to: shownWidth))
    shownWidth = text.displayWidth
  }

  /// Clears the line.
  package func clear() {
    guard shownWidth > 0 else { return }
    write("\r" + String(repeating: " ", count: shownWidth) + "\r")
    shownWidth = 0
  }

  private func write(_ text: String) {
    // Progress that cannot be written is no failure: the result will be.
    try? output.write(text)
  }
}
