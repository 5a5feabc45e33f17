import Foundation
import MemlabKit
import TestSupport

/// Checks that the lessons and the catalog tell of each other.
struct CourseChecker {
  /// The checkout.
  let root: URL

  /// What is wrong with the lesson that a scenario names.
  func check(_ scenario: Scenario) -> [Problem] {
    let path = "Lessons/\(scenario.lesson ?? "")/README.md"
    guard let lesson = read(path) else {
      return [Problem(file: path, line: 1, message: "missing; '\(scenario.id)' names this lesson")]
    }
    guard !lesson.landmarks.contains(where: { $0.containsWord(scenario.id) }) else { return [] }
    let message = "no heading and no row of a table tells of '\(scenario.id)'"
    return [Problem(file: path, line: 1, message: message)]
  }

  /// What is missing in the index of the lessons.
  func checkIndex(listing scenarios: [Scenario]) -> [Problem] {
    let path = "Lessons/README.md"
    guard let index = read(path) else {
      return [Problem(file: path, line: 1, message: "missing; it lists all lessons")]
    }
    let targets = LinkFinder.links(in: index).map { "\($0.target)/" }
    let unlinked = lessonFolders.filter { folder in !targets.contains { $0.hasPrefix("\(folder)/") }
    }
    let untold = scenarios.map(\.id).filter { id in
      !index.prose.contains { $0.text.containsWord(id) }
    }
    let messages =
      unlinked.map { "no link to the lesson '\($0)'" }
      + untold.map { "the scenario '\($0)' is not listed" }
    return messages.map { Problem(file: path, line: 1, message: $0) } + strayFolders
      + otherTimes(in: index)
  }

  /// The lessons that take a class longer, or less, than their row of the index says.
  private func otherTimes(in index: MarkdownText) -> [Problem] {
    lessonFolders.compactMap { folder in
      guard let lesson = read("Lessons/\(folder)/README.md"),
        let time = lesson.text.firstMatch(of: /\*\*Time\*\*: (\d+ minutes)/)?.1,
        let row = index.prose.first(where: { $0.text.contains("](\(folder)/") }),
        !row.text.containsWord(String(time))
      else { return nil }
      let message = "the lesson '\(folder)' says \(time)"
      return Problem(file: index.path, line: row.number, message: message)
    }
  }

  /// The folders without a text.
  private var strayFolders: [Problem] {
    lessonFolders.map { "Lessons/\($0)/README.md" }.filter { read($0) == nil }.map {
      Problem(file: $0, line: 1, message: "missing; a lesson is this file")
    }
  }

  /// The folders in `Lessons`, in order.
  var lessonFolders: [String] {
    let lessons = root.appending(path: "Lessons")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: lessons.path)) ?? []
    return names.sorted().filter { Repository.isFolder(lessons.appending(path: $0)) }
  }

  private func read(_ path: String) -> MarkdownText? {
    let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    return text.map { MarkdownText(path: path, text: $0) }
  }
}

extension String {
  /// Whether the text has this word, and not only as a part of a longer one.
  func containsWord(_ word: String) -> Bool {
    let isPart = { (sign: Character) in sign.isLetter || sign.isNumber || sign == "-" }
    return ranges(of: word).contains { range in
      !(self[..<range.lowerBound].last.map(isPart) ?? false)
        && !(self[range.upperBound...].first.map(isPart) ?? false)
    }
  }
}
