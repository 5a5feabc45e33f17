import Foundation

/// Checks that what a text links to is there.
struct LinkChecker {
  /// The checkout.
  let root: URL

  /// The links that lead nowhere.
  func check(_ markdown: MarkdownText) -> [Problem] {
    LinkFinder.links(in: markdown).compactMap { link in
      problem(with: link, in: markdown).map {
        Problem(file: markdown.path, line: link.line, message: $0)
      }
    }
  }

  private func problem(with link: Link, in markdown: MarkdownText) -> String? {
    let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].removingPercentEncoding ?? String(parts[0])
    let heading = parts.count == 2 ? String(parts[1]) : nil
    if path.isEmpty { return heading.flatMap { missing($0, in: markdown) } }
    guard !path.hasPrefix("/") else { return "'\(path)' begins at the root of a machine" }
    let folder = NSString(string: markdown.path).deletingLastPathComponent
    guard let file = find(path, from: link.isCode ? [folder, ""] : [folder]) else {
      return "there is no file '\(path)'"
    }
    guard let heading, file.pathExtension == "md", !link.isCode,
      let text = try? String(contentsOf: file, encoding: .utf8)
    else { return nil }
    return missing(heading, in: MarkdownText(path: path, text: text))
  }

  private func find(_ path: String, from folders: [String]) -> URL? {
    let path = path.trimmingSuffix { $0.isNumber || $0 == ":" }
    return folders.map { root.appending(path: $0).appending(path: path).standardizedFileURL }
      .first { file in
        file.path.hasPrefix(root.standardizedFileURL.path)
          && FileManager.default.fileExists(atPath: file.path)
      }
  }

  private func missing(_ heading: String, in markdown: MarkdownText) -> String? {
    guard !markdown.headingAnchors.contains(heading) else { return nil }
    return "there is no heading '#\(heading)' in \(markdown.path)"
  }
}

extension String {
  /// The text without `:31` or `:31:5`, which name a line and a column of a file.
  fileprivate func trimmingSuffix(_ isSuffix: (Character) -> Bool) -> String {
    guard let colon = firstIndex(of: ":"), self[colon...].allSatisfy(isSuffix) else { return self }
    return String(self[..<colon])
  }
}
