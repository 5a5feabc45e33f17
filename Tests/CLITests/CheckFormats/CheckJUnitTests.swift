import Foundation
import Testing

@Suite("memlab check --format junit") struct CheckJUnitTests {
  @Test(
    "is well-formed, keeps to the schema, and counts what is there",
    arguments: CheckSamples.cases.indices)
  func schema(index: Int) throws {
    let root = try JUnitParser.parse(CheckSamples.output(index, format: "junit"))
    let unlisted = CheckSamples.cases[index].words.isEmpty ? 0 : 3
    #expect(JUnitSchema.problems(of: root, unlisted: unlisted) == [])
  }

  @Test("does not list what was not asked for, and says how long the rest took")
  func selected() throws {
    let root = try JUnitParser.parse(CheckSamples.output(2, format: "junit"))
    #expect(root.children.map { $0.attributes["name"] } == ["sound"])
    #expect(root.attributes["tests"] == "4")
    #expect(root.attributes["skipped"] == "3")
    #expect(root.children[0].attributes["tests"] == "1")
    for element in [root, root.children[0], root.children[0].children[0]] {
      #expect(element.attributes["time"]?.wholeMatch(of: /\d+\.\d{3}/) != nil)
    }
  }

  @Test("has a case for each ending, each with its outcome") func outcomes() throws {
    let root = try JUnitParser.parse(CheckSamples.output(3, format: "junit"))
    let cases = root.children.flatMap(\.children)
    #expect(
      cases.map { $0.children.first?.name ?? "passed" } == [
        "passed", "passed", "error", "skipped", "skipped", "skipped", "skipped",
      ])
    #expect(root.attributes["errors"] == "1")
  }

  @Test("tells what differs, and shows what XML cannot write") func differences() throws {
    let root = try JUnitParser.parse(CheckSamples.output(1, format: "junit"))
    let failures = root.children.flatMap(\.children).flatMap(\.children)
    #expect(failures.map(\.name) == ["failure", "failure"])
    #expect(failures[1].text.contains("verdict: expected leak, measured clean"))
    #expect(failures[1].text.hasPrefix("Sources/Course/Scenarios/differing.swift:7\n"))
    let shown = CheckSamples.nasty.replacing("\u{1B}", with: "\\u{1B}")
      .replacing("\u{FFFF}", with: "\\u{FFFF}")
    #expect(failures[0].attributes["message"]?.contains(shown) == true)
    #expect(failures[0].text.contains(shown))
  }

  @Test("is closed and has an error where the self-check fails") func selfCheck() throws {
    let root = try JUnitParser.parse(CheckSamples.blindOutput(format: "junit"))
    #expect(JUnitSchema.problems(of: root) == [])
    #expect(root.attributes["errors"] == "1")
    #expect(root.attributes["skipped"] == "1")
  }
}
