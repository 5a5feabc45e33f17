import Foundation
import TestSupport

/// The texts that are held to their word.
enum CourseText {
  /// The texts whose blocks of code are proven.
  static let proven = ["README.md"] + Repository.files(in: "Lessons", endingIn: ".md")

  /// The texts whose links are followed.
  static let linked = proven + ["CONTRIBUTING.md"]

  /// The source files that may have snippets.
  static let sources = Repository.files(in: "Sources", endingIn: ".swift")

  /// Reads one of these texts.
  static func markdown(_ path: String) throws -> MarkdownText {
    MarkdownText(path: path, text: try source(path))
  }

  /// Reads a file of the checkout.
  static func source(_ path: String) throws -> String {
    try String(contentsOf: Repository.url(path), encoding: .utf8)
  }
}
