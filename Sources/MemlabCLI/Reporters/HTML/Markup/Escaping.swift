extension String {
  /// The text as HTML and XML have it, between tags and in an attribute's quotes alike.
  ///
  /// Characters that neither may hold are shown as U+FFFD; those that turn the direction of what
  /// follows are shown by their number, as `quoted` does on a terminal.
  var escapedForMarkup: String {
    unicodeScalars.reduce(into: "") { $0 += $1.escapedForMarkup }
  }
}

extension Unicode.Scalar {
  fileprivate var escapedForMarkup: String {
    switch self {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case "\t", "\n": String(self)
    // A parser would make a line feed of it.
    case "\r": "&#13;"
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}"..."\u{FFFF}": "\u{FFFD}"
    case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
      "\\u{\(String(value, radix: 16).uppercased())}"
    default: String(self)
    }
  }
}
