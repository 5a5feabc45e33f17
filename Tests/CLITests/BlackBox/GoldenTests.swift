import MemlabKit
import Scenarios
import TestSupport
import Testing

@Suite("What memlab prints")
struct GoldenTests {
  // Optimised code has other closures, and so other chains, where many objects hold each other. The
  // counts agree, as 'check' shows.
  private static let comparable = Catalog.scenarios.map(\.id).filter { id in
    #if DEBUG
      true
    #else
      !["reactor-dropped-connection", "reactor-mutate-self"].contains(id)
    #endif
  }

  @Test("is as recorded, for every scenario", arguments: comparable)
  func scenario(id: String) throws {
    try Golden.check("run-\(id)", try MemlabBinary.run([id]).stdout)
  }

  @Test(
    "is as recorded, for everything else",
    arguments: [
      ("overview", []),
      ("help", ["--help"]),
      ("help-run", ["help", "run"]),
      ("help-list", ["help", "list"]),
      ("help-check", ["help", "check"]),
      ("list", ["list"]),
      ("check", ["check"]),
      ("json-strong-self", ["strong-self", "--format", "json"]),
      ("color-strong-self", ["strong-self", "--ending", "cancel", "--color", "always"]),
    ])
  func other(name: String, words: [String]) throws {
    try Golden.check(name, try MemlabBinary.run(words).stdout)
  }

  @Test("fits into 80 columns", arguments: Catalog.scenarios.map(\.id))
  func width(id: String) throws {
    let lines = try MemlabBinary.run([id]).stdout.split(separator: "\n")
    #expect(lines.filter { $0.count > 80 } == [])
    #expect(lines.filter { $0.hasSuffix(" ") } == [])
  }

  @Test("is the same bytes every time", arguments: Catalog.scenarios.map(\.id))
  func repetition(id: String) throws {
    for format in ["text", "json"] {
      let first = try MemlabBinary.run([id, "--format", format])
      for _ in 0..<10 {
        #expect(try MemlabBinary.run([id, "--format", format]) == first)
      }
    }
  }
}
