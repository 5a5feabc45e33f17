import Foundation

/// Compares a block with the part of a source file that it is a copy of.
struct SnippetChecker: Sendable {
  /// The checkout.
  let root: URL

  /// What is wrong with the block, and the block as it should be.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - reference: The file's path from the root and the snippet's name, with `#` between them.
  func check(_ block: FencedBlock, reference: String) -> BlockResult {
    let parts = reference.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts[0].hasSuffix(".swift"), !parts[0].contains("..") else {
      return .bad("'\(reference)' is not 'Sources/…/File.swift#name'")
    }
    let file = root.appending(path: parts[0])
    guard let source = try? String(contentsOf: file, encoding: .utf8) else {
      return .bad("there is no file \(parts[0])")
    }
    guard let lines = SnippetMarkers(path: parts[0], source: source).snippets[parts[1]] else {
      return .bad("there is no '// snippet:\(parts[1])' in \(parts[0])")
    }
    return .comparing(block, with: lines, what: "this is no longer the code of \(reference)")
  }
}
