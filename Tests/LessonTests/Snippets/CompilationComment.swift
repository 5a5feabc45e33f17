/// What `<!-- compiles: … -->` says of the code below it.
struct CompilationComment: Equatable {
  /// Whether it compiles.
  var compiles: Bool
  /// A text that the compiler prints: in an error if the code doesn't compile, else in a warning.
  var diagnostic: String?
  /// More arguments for the compiler: `["-swift-version", "6"]`.
  var flags: [String] = []

  /// Reads what follows `compiles:`; nil if it is not understood.
  ///
  /// The grammar: `yes` or `no`, then `, "diagnostic"` (needed after `no`), then flags.
  init?(_ text: String) {
    guard let word = ["yes", "no"].first(where: { text.hasPrefix($0) }) else { return nil }
    compiles = word == "yes"
    var rest = text.dropFirst(word.count).trimmed
    if let quoted = Self.quoted(rest) {
      diagnostic = quoted.text
      rest = quoted.rest
    }
    flags = rest.split(separator: " ").map(String.init)
    let hasDiagnostic = !(diagnostic ?? "").isEmpty
    guard compiles || hasDiagnostic, flags.isEmpty || rest.hasPrefix("-") else { return nil }
  }

  /// The text between the first and the last quotation mark, and what follows the last.
  private static func quoted(_ text: String) -> (text: String, rest: String)? {
    guard text.hasPrefix(","), let start = text.firstIndex(of: "\""),
      let end = text.lastIndex(of: "\""), start < end
    else { return nil }
    guard text[text.index(after: text.startIndex)..<start].trimmed.isEmpty else { return nil }
    return (String(text[text.index(after: start)..<end]), text[text.index(after: end)...].trimmed)
  }
}
