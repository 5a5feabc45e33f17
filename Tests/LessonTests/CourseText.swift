import Foundation
import MemlabKit
import MemlabScenarios
import TestSupport

/// The texts that tests check.
enum CourseText {
  private static let all =
    ["README.md"] + Repository.files(in: "Documentation", endingIn: ".md")
    + Repository.files(in: "Lessons", endingIn: ".md")

  /// The texts whose blocks of code are proven.
  ///
  /// Lesson 05 shows chains through many objects that hold each other, and lessons 08 and 11 the
  /// functions that wait. Optimised code has fewer closures, and folds a function into its caller,
  /// so their transcripts are those of a debug build.
  ///
  /// While one scenario is recorded, only those of its lesson are.
  static let proven = toldOf(Recording.scenario).filter { path in
    #if DEBUG
      true
    #else
      !["05", "08", "11"].contains { path.hasPrefix("Lessons/\($0)-") }
    #endif
  }

  private static func toldOf(_ id: String?) -> [String] {
    guard let id else { return all }
    let lesson = Catalog.scenario(id)?.lesson ?? "no lesson, because there is no scenario '\(id)'"
    return ["Lessons/\(lesson)/README.md"]
  }

  /// The texts whose links are followed.
  static let linked = all + ["CONTRIBUTING.md"]

  /// The source files that may have snippets.
  static let sources = Repository.files(in: "Sources", endingIn: ".swift")

  /// The texts that explain: those, and the articles of LeakCheck.
  static let explained = linked + Repository.files(in: "Sources", endingIn: ".md")

  /// The texts whose words are checked: those, and all comments and messages.
  static let worded =
    explained + ["Package.swift"]
    + [".swift", ".c", ".h"].flatMap { Repository.files(in: "Sources", endingIn: $0) }
    + Repository.files(in: "Plugins", endingIn: ".swift")
    + Repository.files(in: "Tests", endingIn: ".swift").filter { !$0.contains("/Words/") }

  /// Reads one of these texts.
  static func markdown(_ path: String) throws -> MarkdownText {
    MarkdownText(path: path, text: try Repository.text(path))
  }
}
