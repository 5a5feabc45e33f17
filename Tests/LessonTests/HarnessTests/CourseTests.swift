import MemlabKit
import MemlabScenarios
import Testing

@Suite("The check of the course against the catalog") struct CourseTests {
  private let scenario = Catalog.scenarios[0]

  private func lesson(_ text: String) throws -> Checkout {
    try Checkout(["Lessons/\(scenario.lesson ?? "")/README.md": text])
  }

  @Test("a lesson tells of its scenario in a heading or in a table") func isTold() throws {
    for text in ["## `\(scenario.id)`: a cycle\n", "| a | \(scenario.id) | b |\n"] {
      let checkout = try lesson(text)
      #expect(CourseChecker(root: checkout.root).check(scenario) == [])
    }
  }

  @Test("a lesson that does not tell of its scenario is found") func isNotTold() throws {
    for text in ["Of `\(scenario.id)`.\n", "## \(scenario.id)-2\n", ""] {
      let checkout = try lesson(text)
      #expect(CourseChecker(root: checkout.root).check(scenario).count == 1)
    }
    let empty = try Checkout()
    #expect(CourseChecker(root: empty.root).check(scenario).count == 1)
  }

  @Test("an index without a lesson, without a scenario or without both is found")
  func index() throws {
    let link = "[one](01-one/README.md)"
    for (text, count) in [
      ("\(link) \(scenario.id)\n", 0), (link, 1), (scenario.id, 1), ("", 2),
      ("`01-one` \(scenario.id)", 1),
    ] {
      let checkout = try Checkout(["Lessons/README.md": text, "Lessons/01-one/README.md": ""])
      #expect(CourseChecker(root: checkout.root).checkIndex(listing: [scenario]).count == count)
    }
  }

  @Test("an index that gives a lesson another time than the lesson itself is found")
  func times() throws {
    for (time, count) in [("40 minutes", 0), ("140 minutes", 1), ("30 minutes", 1)] {
      let checkout = try Checkout([
        "Lessons/README.md": "| [one](01-one/README.md) | \(time) |",
        "Lessons/01-one/README.md": "**Time**: 40 minutes with a class, 30 minutes alone.",
      ])
      #expect(CourseChecker(root: checkout.root).checkIndex(listing: []).count == count)
    }
  }

  @Test("a folder that is no lesson is found, and so is a course without an index")
  func strays() throws {
    let stray = try Checkout(["Lessons/README.md": "[two](02-two)", "Lessons/02-two/notes.md": ""])
    #expect(CourseChecker(root: stray.root).checkIndex(listing: []).count == 1)
    let empty = try Checkout()
    #expect(CourseChecker(root: empty.root).checkIndex(listing: []).count == 1)
    #expect(CourseChecker(root: empty.root).lessonFolders == [])
  }
}
