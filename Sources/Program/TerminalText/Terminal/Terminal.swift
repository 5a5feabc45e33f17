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
    self.isInteractive = isInteractive
    self.width = width
    self.usesColor = usesColor
  }

  /// Finds out about the place a file descriptor leads to.
  ///
  /// - Parameters:
  ///   - descriptor: The file descriptor.
  ///   - color: What the user asked for.
  ///   - environment: Where `COLUMNS`, `NO_COLOR` and `TERM` are looked up.
  package init(
    descriptor: Int32,
    color: ColorChoice = .auto,
    environment: Environment = SystemCalls.environment
  ) {
    isInteractive = SystemCalls.isTerminal(descriptor)
    width = Self.width(measured: SystemCalls.columns(of: descriptor), environment: environment)
    usesColor = Self.usesColor(color, isInteractive: isInteractive, environment: environment)
  }

  /// The width in columns: `COLUMNS` if it is a sensible number, else the measured one, else 80.
  package static func width(measured: Int?, environment: Environment) -> Int {
    let sensible = 20...1000
    let wanted = environment("COLUMNS").flatMap { Int($0) }.flatMap {
      sensible.contains($0) ? $0 : nil
    }
    return wanted ?? measured.map { min(max($0, sensible.lowerBound), sensible.upperBound) } ?? 80
  }

  /// Whether to use colour.
  ///
  /// `NO_COLOR` counts when it is not empty, see https://no-color.org.
  package static func usesColor(
    _ choice: ColorChoice, isInteractive: Bool, environment: Environment
  ) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      let isRefused = !(environment("NO_COLOR") ?? "").isEmpty
      let kind = environment("TERM") ?? ""
      return isInteractive && !isRefused && !kind.isEmpty && kind != "dumb"
    }
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
