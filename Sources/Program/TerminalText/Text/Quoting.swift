/// Puts what a user typed between quotes, so that it can be shown safely on a terminal.
///
/// Control and format characters, line separators and the replacement character of invalid UTF-8
/// are shown as `\u{1B}`; more than 60 characters are cut.
///
/// - Parameter text: What was typed.
package func quoted(_ text: String) -> String {
  let limit = 60
  let start = text.unicodeScalars.prefix(limit)
  let isCut = start.endIndex < text.unicodeScalars.endIndex
  return "'\(start.map(escaped).joined())\(isCut ? "…" : "")'"
}

/// Puts a file's path between quotes: whole, because its end distinguishes it from others.
///
/// - Parameter path: What was typed, or where memlab looks.
package func quotedPath(_ path: String) -> String {
  "'\(path.unicodeScalars.map(escaped).joined())'"
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
    .surrogate:
    "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  default:
    scalar == "\u{FFFD}" ? "\\u{FFFD}" : String(scalar)
  }
}
