import TestSupport

/// What a check of one block has found.
struct BlockResult {
  /// What is wrong: the index of the line in the block (-1 for the opening fence) and a message.
  var problems: [(line: Int, message: String)] = []
  /// The lines as they should be; nil if only a person can tell.
  var renewed: [String]?

  /// Nothing is wrong.
  static let good = BlockResult()

  /// The whole block is wrong, and only a person can fix it.
  static func bad(_ message: String) -> BlockResult { BlockResult(problems: [(-1, message)]) }

  /// Compares what a block says with what it should say.
  static func comparing(_ block: FencedBlock, with lines: [String], what: String) -> BlockResult {
    guard block.lines != lines else { return .good }
    let message = "\(what); \(Recording.remedy)\n" + LineDiff.text(from: block.lines, to: lines)
    return BlockResult(problems: [(-1, message)], renewed: lines)
  }
}
