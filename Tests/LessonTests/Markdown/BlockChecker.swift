import Foundation
import TestSupport

/// Checks every block of a Markdown text against what it is a copy of.
struct BlockChecker: Sendable {
  /// Runs memlab with arguments and variables.
  typealias Memlab = @Sendable ([String], [String: String]) throws -> ProgramResult

  /// The checkout.
  var root: URL
  /// Runs memlab.
  var memlab: Memlab

  /// The checker of this checkout and the binary that was built from it.
  static let standard = BlockChecker(root: Repository.root) { arguments, variables in
    try MemlabBinary.run(arguments, environment: variables.mapValues(Optional.some))
  }

  /// What is wrong with a text, and the text as it should be as far as a machine can tell.
  func check(_ markdown: MarkdownText) -> (problems: [Problem], renewed: String) {
    var problems = markdown.problems
    var renewed: [Int: [String]] = [:]
    for (index, block) in markdown.blocks.enumerated() {
      let result = check(block)
      renewed[index] = result.renewed
      problems += result.problems.map { line, message in
        Problem(file: markdown.path, line: block.lineNumber(line), message: message)
      }
    }
    return (problems, markdown.replacing(renewed))
  }

  private func check(_ block: FencedBlock) -> BlockResult {
    switch Proof(of: block) {
    case .transcript: TranscriptChecker(memlab: memlab).check(block)
    case .output(let command): OutputChecker(memlab: memlab).check(block, command: command)
    case .snippet(let reference): SnippetChecker(root: root).check(block, reference: reference)
    case .compilation(let comment): CompilationChecker().check(block, comment: comment)
    case .playedElsewhere(let path):
      FileManager.default.fileExists(atPath: root.appending(path: path).path)
        ? .good : .bad("there is no '\(path)' that could play it")
    case .byHand: .good
    case .missing(let message): .bad(message)
    }
  }
}

/// How a block is proven to be true, as its language and the comment above it say.
enum Proof: Equatable {
  /// Commands and what they print.
  case transcript
  /// All that one command prints.
  case output(command: String)
  /// A part of a source file.
  case snippet(String)
  /// Code that compiles, or that does not.
  case compilation(String)
  /// Commands that the tests of another package play, which is in this folder.
  case playedElsewhere(String)
  /// Not at all, for the reason that the comment gives.
  case byHand
  /// It is not said how.
  case missing(String)

  /// Reads the language and the comment.
  init(of block: FencedBlock) {
    let parts = (block.comment ?? "").split(separator: ":", maxSplits: 1).map(\.trimmed)
    let value = parts.count == 2 ? parts[1] : ""
    switch (parts.first ?? "", block.language) {
    case ("output", _) where !value.isEmpty: self = .output(command: value)
    case ("by hand", let language)
    where !value.isEmpty && !["console", "swift"].contains(language):
      self = .byHand
    case ("played by", "console") where !value.isEmpty: self = .playedElsewhere(value)
    case ("snippet", "swift"): self = .snippet(value)
    case ("compiles", "swift"): self = .compilation(value)
    case (_, "console"): self = .transcript
    case (_, "swift"): self = .missing(Self.swiftAdvice)
    default: self = .missing(Self.advice(block.language))
    }
  }

  private static let swiftAdvice = """
    nothing proves this Swift code; put '<!-- snippet: Sources/…/File.swift#name -->', \
    '<!-- compiles: yes -->' or '<!-- compiles: no, "diagnostic" -->' in the line above
    """

  private static func advice(_ language: String) -> String {
    """
    nothing proves this block of '\(language)'; use 'console' for commands, or put \
    '<!-- output: memlab … -->' or '<!-- by hand: reason -->' in the line above
    """
  }
}
