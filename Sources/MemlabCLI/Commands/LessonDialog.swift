/// A piece of a lesson that is shown before the reader does something.
package struct LessonPart: Equatable {
  /// Its Markdown.
  package let text: String
  /// Whether it ends with a question to answer before anything else is shown.
  package let asks: Bool

  /// The parts of a lesson: each ends with a paragraph that has **Predict.** in it, the last with the
  /// lesson.
  package static func parts(of markdown: String) -> [LessonPart] {
    var parts: [LessonPart] = []
    var lines: [Substring] = []
    var (isCode, isQuestion) = (false, false)
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isCode.toggle() }
      if line.isEmpty, isQuestion, !isCode {
        parts.append(LessonPart(text: lines.joined(separator: "\n"), asks: true))
        (lines, isQuestion) = ([], false)
      }
      isQuestion = isQuestion || !isCode && line.contains("**Predict.**")
      lines.append(line)
    }
    return parts + [LessonPart(text: lines.joined(separator: "\n"), asks: isQuestion)]
  }
}

/// Shows a lesson on a terminal, a screen at a time, and takes an answer to each question.
///
/// What was measured is never on the screen of the question that it answers.
package struct LessonDialog {
  private let output: Output
  private let usesColor: Bool
  private let rows: Int
  private let layOut: (String) -> [StyledText]
  private let readAnswer: () -> String?

  /// A dialog that has shown nothing.
  ///
  /// - Parameters:
  ///   - output: where it is shown.
  ///   - usesColor: whether colours are shown.
  ///   - rows: how many lines a screen has.
  ///   - layOut: lays a part's Markdown out in lines.
  ///   - readAnswer: reads what was typed; nil at the end of the input.
  package init(
    output: Output, usesColor: Bool, rows: Int, layOut: @escaping (String) -> [StyledText],
    readAnswer: @escaping () -> String?
  ) {
    (self.output, self.usesColor, self.rows) = (output, usesColor, rows)
    (self.layOut, self.readAnswer) = (layOut, readAnswer)
  }

  /// Shows the parts one after the other, until the reader quits.
  package func run(_ parts: [LessonPart]) throws(OutputError) {
    var answer: String?
    for (index, part) in parts.enumerated() {
      let opening = answer.map { ["Your prediction: " + $0, ""] } ?? []
      answer = nil
      let lines = opening.map { StyledText($0, .emphasis) } + trimmed(layOut(part.text))
      guard try show(lines) else { return }
      if part.asks {
        guard let typed = try ask("Your prediction (Enter shows what is measured, q quits): ")
        else {
          return
        }
        answer = typed.isEmpty ? nil : typed
      } else if index < parts.count - 1 {
        guard try ask(Self.goOn) != nil else { return }
      }
    }
  }

  private static let goOn = "Enter goes on, q quits: "

  /// Shows lines, as many at a time as there is room for.
  ///
  /// - Returns: whether the reader wants more.
  private func show(_ lines: [StyledText]) throws(OutputError) -> Bool {
    let room = max(3, rows - 2)
    var rest = lines[...]
    while true {
      try output.write(RawTerminal.clear)
      for line in rest.prefix(room) {
        try output.write(line.rendered(color: usesColor) + "\n")
      }
      rest = rest.dropFirst(room)
      if rest.isEmpty { return true }
      guard try ask(Self.goOn) != nil else { return false }
    }
  }

  /// Asks for a line.
  ///
  /// - Returns: the line without the spaces around it; nil when the reader quits.
  private func ask(_ question: String) throws(OutputError) -> String? {
    try output.write("\n" + question)
    let line = readAnswer()?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if line == nil || line == "q" {
      try output.write("\n")
      return nil
    }
    return line
  }

  private func trimmed(_ lines: [StyledText]) -> [StyledText] {
    Array(lines.drop { $0.plain.isEmpty })
  }
}
