import MemlabCLI
import MemlabKit
import MemlabSite
package import MemlabTerminalText

/// `memlab lesson [name]`: lists the lessons, or shows one in the terminal.
enum LessonCommand: Command {
  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    guard let shelf = LessonShelf.find() else { throw SentenceError.noLessons }
    let terminal = session.terminal(for: invocation)
    guard let name = invocation.positionals.first else {
      try session.write(list(shelf, session), for: invocation)
      return .success
    }
    let lesson = try choose(name, from: shelf, invocation, in: session)
    let layOut = { (text: String) in
      MarkdownPage(text) { try? GraphCommand.text(of: $0, in: session) }
        .lines(width: min(terminal.width, 100))
    }
    let source = try shelf.text(of: lesson)
    if terminal.isInteractive, SystemCalls.isTerminal(0), !invocation.flag("all") {
      let dialog = LessonDialog(
        output: session.output, usesColor: terminal.usesColor,
        rows: RawTerminal.size(of: session.output, fallback: terminal.width).rows, layOut: layOut,
        judge: { try LessonQuestion(before: $0, of: lesson, in: session, at: terminal)?.ask() },
        readAnswer: { readLine() })
      let parts = LessonPart.parts(of: source)
      let first = try invocation.integer("from", upTo: parts.count) ?? 1
      let end = closing(of: lesson, shelf, in: session)
      if let left = try dialog.run(parts, from: first - 1, closing: end), left > 0 {
        let command = "\(invocation.program) lesson \(lesson.prefix(2)) --from \(left + 1)"
        try session.output.write("Go on here with: \(command)\n")
      }
      return .success
    }
    guard !invocation.isGiven("from") else {
      throw invocation.usageError("Without a terminal, and with '--all', '--from' has no effect.")
    }
    let text = layOut(source).map { $0.rendered(color: terminal.usesColor) + "\n" }.joined()
    if terminal.isInteractive, Pager.show(text) { return .success }
    try session.output.write(control: text.withoutCommands)
    return .success
  }

  /// What to do after a lesson: its exercises, then the lesson that follows it.
  private static func closing(
    of lesson: String, _ shelf: LessonShelf, in session: Session
  ) -> String {
    let exercises = session.exercises.filter { $0.lesson == lesson }.map(\.number)
    let next = shelf.lessons.drop { $0 != lesson }.dropFirst().prefix(1)
    let commands =
      exercises.map { "memlab exercise \($0)" } + next.map { "memlab lesson \($0.prefix(2))" }
    return commands.isEmpty ? "" : "\nnext: " + commands.joined(separator: " · ") + "\n"
  }

  private static func list(_ shelf: LessonShelf, _ session: Session) throws -> [StyledText] {
    var table = Table(columns: [.text(), .text(gutter: 3)])
    for folder in shelf.lessons {
      let count = session.scenarios.filter { $0.lesson == folder }.count
      table.add([
        StyledText(try shelf.title(of: folder), .emphasis),
        StyledText(count > 0 ? counted(count, "scenario") : "", .dim),
      ])
    }
    let hint = "read one: memlab lesson \(shelf.lessons[0].prefix(2))"
    return table.lines(indent: 2) + ["", StyledText(hint, .dim)]
  }

  private static func choose(
    _ name: String, from shelf: LessonShelf, _ invocation: Invocation, in session: Session
  ) throws(UsageError) -> String {
    let number = Int(name).map { $0 < 10 ? "0\($0)-" : "\($0)-" }
    let taught = session.scenarios.first { $0.id == name }?.lesson
    let found = shelf.lessons.filter { folder in
      if let number { return folder.hasPrefix(number) }
      return taught.map { folder == $0 } ?? folder.contains(name.lowercased())
    }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw invocation.usageError(
        "\(quoted(name)) could be several lessons: \(found.joined(separator: ", ")).")
    }
    // Lessons with a word in their name that is close to what was typed, then scenarios.
    let parts = shelf.lessons.flatMap { $0.split(separator: "-").map(String.init) }
    let words = nearest(to: name, among: parts)
    let lessons = shelf.lessons.filter { lesson in words.contains { lesson.contains($0) } }
    let scenarios = nearest(to: name, among: session.scenarios.map(\.id))
    throw invocation.usageError(
      "There is no lesson \(quoted(name)). See 'memlab lesson' for all of them.",
      suggestions: Array((lessons + scenarios).prefix(3)))
  }
}

extension SentenceError {
  /// There are no lessons where memlab looks for them.
  static let noLessons = SentenceError(
    "the lessons are not here: there is no checkout of memlab above the working directory, nor "
      + "above the program; run 'swift run memlab lesson' in a checkout")
}

/// A piece of a lesson that is shown before the reader does something.
package struct LessonPart: Equatable {
  /// Its Markdown.
  package let text: String
  /// Whether it ends with a question to answer before anything else is shown.
  package let asks: Bool

  // The last section of a lesson, which names the wrong answers to expect.
  private static let teachersSection = "## For the teacher"

  /// The parts of a lesson: each ends with a paragraph that has **Predict.** in it, the last with the
  /// lesson, without what is for the teacher.
  package static func parts(of markdown: String) -> [LessonPart] {
    var parts: [LessonPart] = []
    var lines: [Substring] = []
    var (isCode, isQuestion) = (false, false)
    let learners = markdown.split(separator: "\n", omittingEmptySubsequences: false).prefix {
      $0 != teachersSection
    }
    for line in learners {
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
  private let judge: (String) throws -> JudgedAnswer?
  private let readAnswer: () -> String?

  /// A dialog that has shown nothing.
  ///
  /// - Parameters:
  ///   - output: where it is shown.
  ///   - usesColor: whether colours are shown.
  ///   - rows: how many lines a screen has.
  ///   - layOut: lays a part's Markdown out in lines.
  ///   - judge: asks about what a part shows, and judges the answer; nil where it cannot.
  ///   - readAnswer: reads what was typed; nil at the end of the input.
  package init(
    output: Output, usesColor: Bool, rows: Int, layOut: @escaping (String) -> [StyledText],
    judge: @escaping (String) throws -> JudgedAnswer? = { _ in nil },
    readAnswer: @escaping () -> String?
  ) {
    (self.output, self.usesColor, self.rows) = (output, usesColor, rows)
    (self.layOut, self.judge, self.readAnswer) = (layOut, judge, readAnswer)
  }

  /// Shows the parts one after the other, until the reader quits.
  ///
  /// - Parameters:
  ///   - first: the place of the first part that is shown.
  ///   - closing: what is said to those who have read them all.
  /// - Returns: the place of the part that the reader has left; nil after the last.
  @discardableResult package func run(
    _ parts: [LessonPart], from first: Int = 0, closing: String = ""
  ) throws -> Int? {
    var opening: [StyledText] = []
    for (index, part) in parts.enumerated().dropFirst(first) {
      let lines = opening + layOut(part.text).drop { $0.plain.isEmpty }
      guard try show(ScreenPages(lines, room: max(3, rows - 2)).pages(asking: part.asks)) else {
        return index
      }
      opening = []
      if part.asks {
        guard let answer = try predict(index + 1 < parts.count ? parts[index + 1].text : "") else {
          return index
        }
        opening = answer.isEmpty ? [] : answer + [""]
      } else if index < parts.count - 1 {
        guard try ask(Self.goOn) != nil else { return index }
      }
    }
    try output.write(closing)
    return nil
  }

  /// Asks for a prediction of what a part shows: by number where it can be judged, or else in words.
  ///
  /// - Returns: what to show of it before that part; nil when the reader quits.
  private func predict(_ next: String) throws -> [StyledText]? {
    switch try judge(next) {
    case .quit?: return nil
    case .judged(let lines)?: return lines
    case nil:
      let question = "Your prediction (Enter shows what is measured, q quits): "
      return try ask(question).map { typed in
        typed.isEmpty ? [] : [StyledText("Your prediction: " + typed, .emphasis)]
      }
    }
  }

  private static let goOn = "Enter goes on, q quits: "

  /// Shows pages one after the other.
  ///
  /// - Returns: whether the reader wants more.
  private func show(_ pages: [ArraySlice<StyledText>]) throws(OutputError) -> Bool {
    for (index, page) in pages.enumerated() {
      try output.write(control: RawTerminal.clear)
      try output.write(Array(page), color: usesColor)
      if index == pages.count - 1 { return true }
      guard try ask(Self.goOn) != nil else { return false }
    }
    return true
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
}

/// Lines in pages that end where a paragraph does.
private struct ScreenPages {
  private let lines: [StyledText]
  private let room: Int

  /// Lines for a screen with room for so many.
  init(_ lines: [StyledText], room: Int) { (self.lines, self.room) = (lines, room) }

  /// The pages.
  ///
  /// - Parameter asking: whether the lines end with a question. Then the last page has as much of
  ///   what is before the question as there is room for, also if it was on the page before.
  func pages(asking: Bool) -> [ArraySlice<StyledText>] {
    var pages: [ArraySlice<StyledText>] = []
    var rest = lines[...]
    while rest.count > room {
      let end = end(of: rest)
      pages.append(rest[..<end])
      rest = rest[end...].drop { $0.plain.isEmpty }
    }
    return pages + [asking ? lines[min(rest.startIndex, lastStart)...] : rest]
  }

  // The last line of a page is the last of a paragraph, unless half the page became empty.
  private func end(of rest: ArraySlice<StyledText>) -> Int {
    let full = rest.startIndex + room
    return rest[(rest.startIndex + room / 2)..<(full + 1)].lastIndex { $0.plain.isEmpty } ?? full
  }

  // The first paragraph from which on all that follows fits on a page.
  private var lastStart: Int {
    let earliest = max(0, lines.count - room)
    guard earliest > 0 else { return 0 }
    return lines[(earliest - 1)...].firstIndex { $0.plain.isEmpty }.map { $0 + 1 } ?? earliest
  }
}
