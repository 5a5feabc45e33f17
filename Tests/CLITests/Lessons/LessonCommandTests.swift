import Foundation
import TestSupport
import Testing

@Suite("memlab lesson") struct LessonCommandTests {
  @Test("lists every lesson of the checkout") func list() throws {
    let run = try MemlabBinary.run(["lesson"])
    let folders = Repository.files(in: "Lessons", endingIn: "/README.md")
    #expect(run.stdout.newlineSeparated.filter { $0.hasPrefix("  ") }.count == folders.count)
    #expect(run.stdout.contains("\n  02 Five steps to a stream that ends  "))
  }

  @Test("breaks the lines of text to the width", arguments: ["60", "80"])
  func width(columns: String) throws {
    let run = try MemlabBinary.run(["lesson", "01"], environment: ["COLUMNS": columns])
    #expect(run.stdout.hasPrefix("01 Who owns whom\n═══"))
    let long = run.stdout.newlineSeparated.filter { $0.count > Int(columns)! }
    #expect(columns == "60" || long == [])
  }

  @Test("says where to go when it is installed far from any checkout") func installed() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appending(path: "memlab")
    // By a program of its own: what another test starts meanwhile would have the copy open for writing,
    // and then it cannot be run.
    let source = MemlabBinary.folder.appending(path: "memlab")
    let cp = try Program(URL(fileURLWithPath: "/bin/cp")).run([source.path, copy.path])
    try #require(cp.exitCode == 0)
    let env = Program(URL(fileURLWithPath: "/usr/bin/env"))
    let lesson = try env.run(["-C", folder.path, copy.path, "lesson", "02"])
    #expect(lesson.exitCode == 70)
    #expect(lesson.stderr.contains("the lessons are not here: there is no checkout of memlab"))
    let show = try env.run(["-C", folder.path, copy.path, "show", "strong-self"])
    #expect(show.exitCode == 0)
  }

  #if os(Linux)
    @Test("is shown as a whole by the pager on a terminal, and without one where there is none")
    func pager() throws {
      let paged = try PseudoTerminal(["lesson", "01", "--all"], pager: "sed s/^/paged:/")
      try paged.wait(for: "paged:01 Who owns whom")
      try paged.wait(for: "This one has none.")
      #expect(paged.end() == 0)
      for pager in ["", "cat", "no-such-pager"] {
        let plain = try PseudoTerminal(["lesson", "01", "--all"], pager: pager)
        try plain.wait(for: "This one has none.")
        #expect(plain.end() == 0)
      }
    }
  #endif
}
