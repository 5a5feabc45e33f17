import Foundation
import TestSupport
import Testing

/// A small checkout to try the checks on.
final class Checkout {
  /// Its folder.
  let root = Scratch.place()

  /// A checkout with these files.
  ///
  /// - Parameter files: The texts, by their path from the root.
  init(_ files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (path, text) in files { try Scratch.write(text, to: root.appending(path: path)) }
  }

  /// Expects one problem with the blocks of a text, and the text to be left as it is.
  func expectRefusal(
    of text: String, memlab: @escaping BlockChecker.Memlab = Sample.memlab,
    at place: SourceLocation = #_sourceLocation
  ) {
    let (problems, renewed) = check(text, memlab: memlab)
    #expect(problems.count == 1, sourceLocation: place)
    #expect(renewed == text, sourceLocation: place)
  }

  /// What is wrong with the blocks of a text, as messages, and the text as it should be.
  func check(
    _ text: String, memlab: @escaping BlockChecker.Memlab = Sample.memlab
  ) -> (problems: [String], renewed: String) {
    let checker = BlockChecker(root: root, memlab: memlab)
    let (problems, renewed) = checker.check(MarkdownText(path: "README.md", text: text))
    return (problems.map(\.description), renewed)
  }
}

/// Stand-ins.
enum Sample {
  /// A memlab that knows three commands.
  static let memlab: BlockChecker.Memlab = { arguments, variables in
    switch arguments.first {
    case "count": ProgramResult(stdout: (1...9).map { "\($0)\n" }.joined())
    case "say": ProgramResult(stdout: arguments.dropFirst().joined(separator: "|") + "\n")
    case "columns": ProgramResult(stdout: (variables["COLUMNS"] ?? "none") + "\n")
    case "half": ProgramResult(stdout: "half a line")
    default: ProgramResult(stderr: "Error: unknown\n", exitCode: 64)
    }
  }

  /// A block of this language.
  static func block(_ language: String, _ lines: String..., comment: String? = nil) -> String {
    let comment = comment.map { "<!-- \($0) -->\n" } ?? ""
    return "before\n\n\(comment)```\(language)\n\(lines.joined(separator: "\n"))\n```\n\nafter\n"
  }
}
