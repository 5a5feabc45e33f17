import MemlabCLI

extension UsageError {
  /// Whether it can be shown: an error in so many lines at the most, with few suggestions and with
  /// nothing that a terminal would obey.
  func isPrintable(lines: Int) -> Bool {
    let scalars = description.unicodeScalars
    return description.hasPrefix("Error: ") && suggestions.count <= 3
      && scalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
      && scalars.filter { $0 == "\n" }.count <= lines
  }
}
