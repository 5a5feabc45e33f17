import MemlabCLI
package import MemlabKit
import MemlabTerminalText
import MemlabWalk

/// The files of the exercises, in the checkout that memlab was built from.
package struct ExerciseFiles: Sendable {
  /// The checkout.
  let root: URL

  /// The files of a checkout.
  package init(root: URL) { self.root = root }

  /// The file that the learner edits, from the root of the checkout.
  func path(of exercise: Exercise) -> String { "Sources/Course/Exercises/\(exercise.file)" }

  /// The file that the learner edits.
  func url(of exercise: Exercise) -> URL { root.appending(path: path(of: exercise)) }

  /// What to do: the comment at the head of the file as it was shipped.
  ///
  /// - Throws: ``ExerciseFileError`` when memlab's sources are not where it was built.
  func task(of exercise: Exercise) throws -> String {
    let lines = try read(shippedPath(of: exercise)).split(separator: "\n")
    return lines.prefix { $0.hasPrefix("//") }
      .map { $0.drop { $0 == "/" || $0 == " " } }
      .joined(separator: " ")
  }

  /// The learner's code as it is now, without the task at its head.
  ///
  /// - Returns: the code, and the number of its first line.
  /// - Throws: ``ExerciseFileError`` when memlab's sources are not where it was built.
  func code(of exercise: Exercise) throws -> (code: String, line: Int) {
    let lines = try read(path(of: exercise)).split(
      separator: "\n", omittingEmptySubsequences: false)
    let head = lines.prefix { $0.hasPrefix("//") && !$0.hasPrefix("///") }.count
    return (lines.dropFirst(head).joined(separator: "\n"), head + 1)
  }

  /// Why the learner's file cannot be judged by what it does; nil when it can.
  ///
  /// - Throws: ``ExerciseFileError`` when memlab's sources are not where it was built.
  func unsafeCode(of exercise: Exercise) throws -> String? {
    UnsafeCode.sentence(about: try read(path(of: exercise)), file: fileName(of: exercise))
  }

  /// The file of a solution: the exercise as it was shipped, with the solution's changes.
  ///
  /// - Throws: ``ExerciseFileError`` when memlab's sources are not where it was built, or do not fit.
  func solution(of exercise: Exercise) throws -> String {
    let path = "Sources/Course/ExerciseSolutions/Diffs/\(fileName(of: exercise)).diff"
    return try UnifiedDiff.apply(read(path), to: read(shippedPath(of: exercise)))
  }

  /// Puts the learner's file back as it was shipped, and keeps theirs under another name.
  ///
  /// - Returns: what has been done, as a sentence.
  /// - Throws: ``ExerciseFileError`` when a file cannot be read or written; then nothing is lost.
  func reset(_ exercise: Exercise) throws -> String {
    let shipped = try read(shippedPath(of: exercise))
    let current = try read(path(of: exercise))
    guard current != shipped else { return "\(path(of: exercise)) is as it was shipped." }
    let kept = try keep(current, of: exercise)
    try write(shipped, to: path(of: exercise))
    return """
      \(path(of: exercise)) is as it was shipped again.
      Yours is kept in \(kept).
      This program still has yours in it: 'swift build' builds it again.
      """
  }

  /// Whether the learner's file has changed since this program was built, so that an older version
  /// of it is judged.
  package func isNewerThanProgram(_ exercise: Exercise) -> Bool {
    let file = Self.date(of: root.appending(path: path(of: exercise)).path)
    let program = OwnProgram.path.flatMap(Self.date)
    guard let file, let program else { return false }
    return file > program
  }

  /// When a file, or what a link leads to, was last written; nil where there is none.
  static func date(of path: String) -> Date? {
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    return try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
  }

  private func keep(_ text: String, of exercise: Exercise) throws -> String {
    let free = (1...).lazy.map { number in
      ".exercises/\(exercise.number)-\(number)-\(fileName(of: exercise)).txt"
    }.first { !FileManager.default.fileExists(atPath: root.appending(path: $0).path) }
    guard let path = free else { preconditionFailure("the numbers do not end") }
    try write(text, to: path)
    return path
  }

  private func shippedPath(of exercise: Exercise) -> String {
    "Sources/Course/Exercises/Shipped/\(fileName(of: exercise)).txt"
  }

  private func fileName(of exercise: Exercise) -> Substring {
    exercise.file.split(separator: "/").last ?? "?"
  }

  private func read(_ path: String) throws -> String {
    do { return try String(contentsOf: root.appending(path: path), encoding: .utf8) } catch {
      throw ExerciseFileError(path: path, isWriting: false)
    }
  }

  private func write(_ text: String, to path: String) throws {
    let url = root.appending(path: path)
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try WholeFile(url.path).write(text)
    } catch {
      throw ExerciseFileError(path: path, isWriting: true)
    }
  }
}

/// A file of an exercise that cannot be read or written.
struct ExerciseFileError: ErrorWithExitCode, CustomStringConvertible {
  /// The file, from the root of the checkout.
  let path: String
  /// Whether it was to be written.
  let isWriting: Bool

  var exitCode: ExitCode { isWriting ? .cannotWrite : .untrusted }

  var description: String {
    isWriting
      ? "'\(path)' could not be written; nothing was changed."
      : "'\(path)' could not be read. Exercises are part of memlab's source: run them from a "
        + "clone of it, with 'swift run memlab exercise'."
  }
}

extension UnifiedDiffError: ErrorWithExitCode { var exitCode: ExitCode { .untrusted } }

extension Session {
  /// The files of the exercises.
  var exerciseFiles: ExerciseFiles { ExerciseFiles(root: checkout) }
}

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
