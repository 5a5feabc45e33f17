/// Looks up an environment variable.
package typealias Environment = (String) -> String?

/// What the place that output goes to can show.
package struct Terminal: Sendable, Equatable {
  /// Whether it is a terminal rather than a file or a pipe.
  package let isInteractive: Bool

  /// Its width in columns.
  package let width: Int

  /// Whether text is to be coloured.
  package let usesColor: Bool

  /// Describes a place by hand, for tests and for writing to a file.
  package init(isInteractive: Bool = false, width: Int = 80, usesColor: Bool = false) {
    (self.isInteractive, self.width, self.usesColor) = (isInteractive, width, usesColor)
  }

  /// Finds out about the place a file descriptor leads to.
  ///
  /// - Parameters:
  ///   - descriptor: The file descriptor.
  ///   - color: What the user asked for.
  ///   - environment: Where `COLUMNS`, `NO_COLOR` and `TERM` are looked up.
  package init(
    descriptor: Int32, color: ColorChoice = .auto,
    environment: Environment = SystemCalls.environment
  ) {
    isInteractive = SystemCalls.isTerminal(descriptor)
    width = Self.width(measured: SystemCalls.columns(of: descriptor), environment: environment)
    usesColor = Self.usesColor(color, isInteractive: isInteractive, environment: environment)
  }

  /// The width in columns: `COLUMNS` if it is a sensible number, else the measured one, else 80.
  package static func width(measured: Int?, environment: Environment) -> Int {
    let sensible = 20...1000
    if let wanted = Int(environment("COLUMNS") ?? ""), sensible.contains(wanted) { return wanted }
    return measured.map { min(max($0, sensible.lowerBound), sensible.upperBound) } ?? 80
  }

  /// Whether to use colour.
  ///
  /// `NO_COLOR` counts when it is not empty, see https://no-color.org.
  package static func usesColor(
    _ choice: ColorChoice, isInteractive: Bool, environment: Environment
  ) -> Bool {
    guard choice == .auto else { return choice == .always }
    let isRefused = !(environment("NO_COLOR") ?? "").isEmpty
    let kind = environment("TERM") ?? ""
    return isInteractive && !isRefused && !kind.isEmpty && kind != "dumb"
  }
}

/// When to use colour, as `--color` says.
package enum ColorChoice: String, Sendable, CaseIterable {
  /// Only on a terminal that can, and only if `NO_COLOR` is not set.
  case auto

  /// Everywhere, whatever the environment says.
  case always

  /// Nowhere.
  case never
}

/// Shows progress on the last line of a terminal, once something takes longer than a second.
///
///     let progress = ProgressLine(on: session.errors)
///     defer { progress.clear() }
///     for round in 1...rounds { progress.show("round \(round)"); … }
///
/// Where the output is no terminal, it writes nothing. It counts processor time: memlab's scheduler
/// stops the clocks of its thread.
package final class ProgressLine {
  private static let (delay, pause) = (Duration.seconds(1), Duration.milliseconds(100))
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
    let text = text().shown().truncated(to: terminal.width - 1)
    // Progress that cannot be written is no failure: the result will be.
    try? output.write(control: "\r" + text.padded(to: shownWidth))
    shownWidth = text.displayWidth
  }

  /// Clears the line.
  package func clear() {
    guard shownWidth > 0 else { return }
    try? output.write(control: "\r" + spaces(shownWidth) + "\r")
    shownWidth = 0
  }
}
