// Words that memlab has not written: names of tasks and types, titles, paths, what other programs
// answer. A terminal would obey what is in some of them, and so would a build server.

extension String {
  /// The text with what would be obeyed, or not be seen, shown as `\u{1B}`: control and format
  /// characters, line separators, codes without a character, the replacement of invalid UTF-8, and
  /// the bracket of `##[`, `##vso[` and `##teamcity[`, which begin a command of a build server anywhere
  /// in a line.
  ///
  /// - Parameters:
  ///   - kept: what stays: nothing in a name, tabs in a line, line feeds in a text of several.
  ///   - written: how a character is shown.
  package func shown(
    keeping kept: String = "",
    as written: (Unicode.Scalar) -> String = { "\\u{\(hexadecimal($0.value))}" }
  ) -> String {
    // Most texts are plain, and each is looked at: those of the catalog at every start.
    let isPlain = utf8.allSatisfy { byte in
      byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") || kept.utf8.contains(byte)
    }
    if isPlain { return self }
    // A letter between keeps what may become a command.
    var signs = 0
    func isShown(_ scalar: Unicode.Scalar) -> Bool {
      defer {
        let isLetter = signs > 1 && scalar.properties.isAlphabetic
        signs = scalar == "#" ? signs + 1 : isLetter ? signs : 0
      }
      return scalar.isUnseen && !kept.unicodeScalars.contains(scalar) || scalar == "[" && signs > 1
    }
    guard unicodeScalars.contains(where: isShown) else { return self }
    signs = 0
    return unicodeScalars.map { isShown($0) ? written($0) : String($0) }.joined()
  }

  /// The text, in which no line begins as a workflow command does, not even after white space.
  package var withoutCommands: String {
    // Each line of each report is looked at, and each step's name: a search for a string of two
    // characters took a seventh of the processor time of a whole check.
    let colon = UInt8(ascii: ":")
    let isPlain = utf8.withContiguousStorageIfAvailable { bytes in
      var place = 1
      while place < bytes.count && !(bytes[place] == colon && bytes[place - 1] == colon) {
        place += 1
      }
      return place >= bytes.count
    }
    if isPlain == true { return self }
    return split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let start = line.drop(while: \.isWhitespace)
      return start.hasPrefix("::")
        ? line.prefix(line.count - start.count) + "\\u{3A}" + start.dropFirst() : line
    }.joined(separator: "\n")
  }

  /// The text with some characters replaced, also where a mark that follows combines with them.
  package func replacing(scalars: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if let other = scalars[scalar] { text += other } else { text.unicodeScalars.append(scalar) }
    }
  }

  /// A JSON document in which no string has what a terminal would obey.
  package var shownInJSON: String {
    shown(keeping: "\n") { $0.utf16.map { "\\u" + hexadecimal($0, digits: 4) }.joined() }
  }

  /// The text as XML has it, also between the quotation marks of an attribute.
  package func inXML(isAttribute: Bool) -> String {
    let everywhere: [Unicode.Scalar: String] = [
      // "]]>" may not stand in a text.
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;",
    ]
    let inAttributes: [Unicode.Scalar: String] = ["\"": "&quot;", "\t": "&#9;", "\n": "&#10;"]
    let entities = everywhere.merging(isAttribute ? inAttributes : [:]) { $1 }
    return shown(keeping: "\t\n\r").replacing(scalars: entities)
  }

  /// Whether a shell takes the text for one word that means itself.
  package var isPlainWord: Bool {
    !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "_:+.-".contains($0) }
  }

  /// The text as a shell takes it for one word.
  package var quotedForShell: String {
    isPlainWord ? self : "'\(replacing(scalars: ["'": "'\\''"]))'"
  }

  /// The text between the quotation marks of a string in Graphviz's language, see
  /// https://graphviz.org/doc/info/lang.html.
  package var inGraphviz: String { shown().replacing(scalars: ["\\": "\\\\", "\"": "\\\""]) }

  /// The text as the message of a GitHub workflow command. The runner takes these back in the
  /// opposite order, the percent sign last. See
  /// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands.
  package var inWorkflow: String {
    replacing(scalars: ["%": "%25", "\r": "%0D", "\n": "%0A"]).shown(keeping: "\t")
  }

  /// The text as a property of such a command.
  package var asWorkflowProperty: String {
    inWorkflow.replacing(scalars: [":": "%3A", ",": "%2C"])
  }
}

extension Unicode.Scalar {
  fileprivate var isUnseen: Bool {
    if (0x20..<0x7F).contains(value) { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
      .surrogate:
      true
    default: self == "\u{FFFD}"
    }
  }
}

/// A number in capital hexadecimal digits, at least so many.
package func hexadecimal(_ number: some BinaryInteger, digits: Int = 1) -> String {
  let text = String(number, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// Puts what a user typed between quotes, so that it can be shown safely on a terminal; more than
/// 60 characters are cut.
///
/// - Parameter text: What was typed.
package func quoted(_ text: String) -> String {
  let start = String(text.unicodeScalars.prefix(60))
  return "'\(start.shown())\(start.unicodeScalars.count < text.unicodeScalars.count ? "…" : "")'"
}

/// Puts a file's path between quotes: whole, because its end distinguishes it from others.
///
/// - Parameter path: What was typed, or where memlab looks.
package func quotedPath(_ path: String) -> String { "'\(path.shown())'" }

/// A number of things, in words: "1 task", "2 tasks".
package func counted(_ count: Int, _ thing: String) -> String {
  "\(count) \(thing)\(count == 1 ? "" : "s")"
}
