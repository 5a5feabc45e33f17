/// When to use colour, as `--color` says.
package enum ColorChoice: String, Sendable, CaseIterable {
  /// Only on a terminal that can, and only if `NO_COLOR` is not set.
  case auto

  /// Everywhere, whatever the environment says.
  case always

  /// Nowhere.
  case never
}

extension OptionSpec {
  /// The option `--color`, for every command that prints for people.
  package static let color = option(
    "color", valueName: "when", help: "Use colour.", values: .cases(of: ColorChoice.self),
    default: ColorChoice.auto.rawValue)
}
