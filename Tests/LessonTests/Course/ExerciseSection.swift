import Foundation
import TestSupport

/// The section of a lesson that says what to try oneself.
struct ExerciseSection {
  /// The numbered points, each in one line.
  private(set) var points: [String] = []
  private var text = ""

  /// Reads a lesson.
  init(of lesson: String) {
    var isInside = false
    for line in lesson.newlineSeparated {
      if line.hasPrefix("## ") { isInside = line == "## Exercises" }
      guard isInside else { continue }
      text += line + "\n"
      if line.prefixMatch(of: #/\d+\. /#) != nil {
        points.append(line)
      } else if line.hasPrefix("   "), let last = points.popLast() {
        points.append(last + " " + line.trimmed)
      }
    }
  }

  /// The points that name no file.
  var pointsWithoutFile: [String] { points.filter { Self.files(in: $0).isEmpty } }

  /// The files that it names and that are neither at their paths nor in a folder that it names.
  func missingFiles(in root: URL) -> [String] {
    let folders = [""] + Self.code(in: text).filter { $0.contains("/") }.map { $0 + "/" }
    return Self.files(in: text).filter { file in
      !folders.contains { FileManager.default.fileExists(atPath: root.path + "/" + $0 + file) }
    }
  }

  private static func files(in text: String) -> [String] {
    code(in: text).filter { $0.hasSuffix(".swift") }
  }

  private static func code(in text: String) -> [String] {
    text.matches(of: /`([^`\n]+)`/).map { String($0.1) }
  }
}
