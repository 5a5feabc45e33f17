/// A manual page under construction, in the macros of man(7).
struct Roff {
  private(set) var text = ""
  // The first paragraph behind a heading needs no beginning; lint says so.
  private var isBehindHeading = false

  /// Adds the header, whose arguments are no text: a date's hyphens stay as they are.
  mutating func header(_ arguments: [String]) {
    text += ".TH " + arguments.map { "\"\($0)\"" }.joined(separator: " ") + "\n"
  }

  /// Adds a macro with its arguments.
  mutating func macro(_ name: String, _ arguments: [String] = []) {
    let list = arguments.map { " \"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" }
    text += ".\(name)\(list.joined())\n"
    isBehindHeading = ["SH", "SS"].contains(name)
  }

  /// Begins a section.
  mutating func section(_ title: String) { macro("SH", [title]) }

  /// Adds a line of text.
  mutating func text(_ line: String) {
    let isControl = line.hasPrefix(".") || line.hasPrefix("'")
    text += (isControl ? "\\&" : "") + Self.escaped(line) + "\n"
  }

  /// Adds paragraphs; lines that begin with a space are kept as they are.
  mutating func prose(_ discussion: String?) {
    guard let discussion else { return }
    for block in discussion.split(separator: "\n\n") {
      if block.first == " " {
        example(block.split(separator: "\n").map(String.init))
      } else {
        paragraph()
        text(block.split(separator: "\n").joined(separator: " "))
      }
    }
  }

  /// Adds a usage, line by line.
  mutating func synopsis(_ usage: String) {
    example(usage.split(separator: "\n").map { String($0.drop { $0 == " " }) })
  }

  /// Adds a word or an option, and what is said of it.
  mutating func item(_ label: String, _ explanation: String) {
    macro("TP")
    text += "\\fB\(Self.escaped(label))\\fR\n"
    text(explanation)
  }

  private mutating func paragraph() {
    if !isBehindHeading { macro("PP") }
    isBehindHeading = false
  }

  private mutating func example(_ lines: [String]) {
    paragraph()
    macro("nf")
    for line in lines { text(line) }
    macro("fi")
  }

  // A hyphen that is typed is not the one that is printed between words.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "…": "..."
      default: scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar))]"
      }
    }.joined()
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
