import MemlabCLI
import MemlabTerminalText

/// Code that does without Swift's checks of memory or of data races, which an exercise may not have.
///
/// Such code can read and write an object that is gone, and nothing that is measured need show it.
/// The compiler refuses it in the target `Exercises`, unless it is marked
/// ([SE-0458](https://github.com/swiftlang/swift-evolution/blob/main/proposals/0458-strict-memory-safety.md)).
/// It refuses data races as well, but in a type that is `@unchecked Sendable`
/// ([SE-0302](https://github.com/swiftlang/swift-evolution/blob/main/proposals/0302-concurrent-value-and-concurrent-closures.md)),
/// and an exercise is judged on one thread, where there is none. So the marks are all there is to look
/// for.
enum UnsafeCode {
  private static let uncheckedMark = "@unchecked"
  private static let marks: Set = ["unsafe", "@unsafe", "@safe", uncheckedMark]

  /// What is said of a learner's file that has a mark; nil when it has none.
  ///
  /// - Parameters:
  ///   - code: the file.
  ///   - file: its name.
  static func sentence(about code: String, file: Substring) -> String? {
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in zip(1..., lines) {
      guard let mark = mark(in: String(line)) else { continue }
      let danger =
        mark == uncheckedMark
        ? "Then the compiler looks for no data race, and on one thread there is none to see. Write it "
          + "without: a final class whose variables are in a Mutex is Sendable."
        : "Such code may use an object that is gone, and nobody would see it. Write it without."
      return "Line \(number) of \(file) says '\(mark)'. \(danger)"
    }
    return nil
  }

  private static func mark(in line: String) -> Substring? {
    SwiftCode.pieces(of: line).first { piece in
      piece.kind != .comment && piece.kind != .text && marks.contains(String(piece.text))
    }?.text
  }
}
