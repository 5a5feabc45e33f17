import TerminalText

/// Code that does without Swift's checks of memory, which an exercise may not have.
///
/// Such code can read and write an object that is gone, and nothing that is measured need show it.
/// The compiler refuses it in the target `Exercises`, unless it is marked
/// ([SE-0458](https://github.com/swiftlang/swift-evolution/blob/main/proposals/0458-strict-memory-safety.md)).
/// So the marks are all there is to look for.
enum UnsafeCode {
  private static let marks: Set = ["unsafe", "@unsafe", "@safe"]

  /// What is said of a learner's file that has a mark; nil when it has none.
  ///
  /// - Parameters:
  ///   - code: the file.
  ///   - file: its name.
  static func sentence(about code: String, file: Substring) -> String? {
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) {
      guard let mark = mark(in: String(line)) else { continue }
      return """
        Line \(number) of \(file) says '\(mark)'. Such code may use an object that is gone, and \
        nobody would see it. Write it without.
        """
    }
    return nil
  }

  private static func mark(in line: String) -> Substring? {
    SwiftCode.pieces(of: line).first { piece in
      piece.kind != .comment && piece.kind != .text && marks.contains(String(piece.text))
    }?.text
  }
}
