import Foundation
import MemlabCourse
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("README, documentation and lessons") struct LessonTests {
  @Test("every block of code is what it says it is a copy of", arguments: CourseText.proven)
  func blocks(path: String) throws {
    let isRewritten = try Recording.isOn && Recording.alone { try renew(path) }
    record(BlockChecker.standard.check(try CourseText.markdown(path)).problems)
    if isRewritten { Issue.record("rewrote \(path); \(Recording.again)") }
  }

  @Test("every link leads to a file or a heading that is there", arguments: CourseText.linked)
  func links(path: String) throws {
    record(LinkChecker(root: Repository.root).check(try CourseText.markdown(path)))
  }

  @Test("every snippet in a source file has a name, an end and no namesake")
  func snippets() throws {
    #expect(!CourseText.sources.isEmpty)
    for path in CourseText.sources {
      record(SnippetMarkers(path: path, source: try Repository.text(path)).problems)
    }
  }

  @Test("the lesson that a scenario names tells of it", arguments: Catalog.scenarios.map(\.id))
  func lesson(id: String) throws {
    let scenario = try #require(Catalog.scenario(id))
    record(CourseChecker(root: Repository.root).check(scenario))
  }

  @Test("the exercises of every lesson name the files to edit", arguments: Catalog.lessons)
  func exercises(folder: String) throws {
    let section = ExerciseSection(of: try Repository.text("Lessons/\(folder)/README.md"))
    #expect(!section.points.isEmpty)
    #expect(section.pointsWithoutFile == [])
    #expect(section.missingFiles(in: Repository.root) == [])
  }

  @Test(
    "a lesson begins with what one can do afterwards, and ends with three measured questions",
    arguments: Catalog.lessons)
  func questions(folder: String) throws {
    let lesson = try Repository.text("Lessons/\(folder)/README.md")
    let parts = lesson.components(separatedBy: "\n## ")
    #expect(parts[0].contains("\n**Afterwards you can** "))
    let questions = try #require(parts.first { $0.hasPrefix("Three questions\n") })
    let each = questions.components(separatedBy: "\n**Predict.** ").dropFirst()
    #expect(each.count == 3)
    for question in each {
      let (text, answer) = try #require(Self.split(question))
      #expect(text.contains("?"), "\(question)")
      #expect(answer.hasPrefix("$ swift run memlab "), "\(question)")
      #expect(answer.newlineSeparated.count > 3, "nothing is measured: \(question)")
    }
  }

  @Test(
    "the course uses memlab's tools", arguments: ["walk", "hint", "compare", "matrix", "report"])
  func tools(command: String) throws {
    let lessons = try Catalog.lessons.map { try Repository.text("Lessons/\($0)/README.md") }
    #expect(lessons.contains { $0.contains("memlab \(command) ") })
  }

  @Test("each slide for a class fits on one screen") func slides() throws {
    let kit = try Repository.text("Lessons/TEACHING.md")
    let slides = kit.components(separatedBy: "\n### Slide ").dropFirst()
    #expect(slides.count >= 6)
    for slide in slides {
      let block = try #require(Self.split(slide.components(separatedBy: "\n## ")[0])).answer
      let lines = block.newlineSeparated.prefix { $0 != "```" }
      #expect(lines.count <= 24, "\(slide)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(slide)")
    }
  }

  /// A text and the first console block after it.
  private static func split(_ text: String) -> (question: String, answer: String)? {
    let parts = text.components(separatedBy: "\n```console\n")
    return parts.count == 2 ? (parts[0], parts[1].components(separatedBy: "\n```")[0]) : nil
  }

  @Test("the index lists every lesson and every scenario") func index() {
    let course = CourseChecker(root: Repository.root)
    #expect(course.lessonFolders == Catalog.lessons)
    record(course.checkIndex(listing: Catalog.scenarios))
  }

  // Each with its file and line, and with what differs.
  private func record(_ problems: [Problem]) { for each in problems { Issue.record("\(each)") } }

  /// Rewrites what can be renewed, and says whether there was any.
  private func renew(_ path: String) throws -> Bool {
    let old = try CourseText.markdown(path)
    let new = BlockChecker.standard.check(old).renewed
    let isRewritten = new != old.text
    if isRewritten { try Data(new.utf8).write(to: Repository.url(path)) }
    return isRewritten
  }
}
