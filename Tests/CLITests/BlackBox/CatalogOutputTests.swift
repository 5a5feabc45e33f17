import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("What memlab prints of the whole catalog") struct CatalogOutputTests {
  private static let scenarios = Catalog.scenarios
  private static let endings = scenarios.flatMap(\.endings)

  @Test("lists every scenario with its title, below its document, and nothing else")
  func list() throws {
    let column = (Self.scenarios.map(\.id.count).max() ?? 0) + 2
    var lines: [String] = []
    var document: Document?
    for scenario in Self.scenarios {
      if scenario.document != document { lines.append("  " + scenario.document.title) }
      document = scenario.document
      let padding = String(repeating: " ", count: column - scenario.id.count)
      lines.append("    " + scenario.id + padding + scenario.title)
    }
    let list = try MemlabBinary.run(["list"])
    #expect(list == ProgramResult(stdout: lines.joined(separator: "\n") + "\n"))
  }

  // Fails where a step has a holder that no picture shows: in each ending, each strong reference that
  // the runtime counts must be found, or be a variable with a name.
  @Test("checks every step of every ending of every scenario, and finds all as declared")
  func check() throws {
    let check = try MemlabBinary.run(["check", "--every-step"])
    #expect(check.exitCode == 0)
    let rows = check.stdout.newlineSeparated.filter { $0.hasPrefix("✓ ") || $0.hasPrefix("✗ ") }
      .dropFirst()
    let cells = rows.map { $0.split(separator: " ").prefix(4).map(String.init) }
    let declared = Self.scenarios.flatMap { scenario in
      scenario.endings.map { ["✓", scenario.id, $0.name, $0.expects.verdict.rawValue] }
    }
    #expect(cells.filter(OtherSwift.canRun) == declared.filter(OtherSwift.canRun))
    let (scenarios, endings) = (Self.scenarios.count, Self.endings.count)
    #expect(
      check.stdout.hasSuffix(
        "\n\(scenarios) scenarios, \(endings) endings: \(endings) as declared, 0 not\n"))
  }

  @Test("has a row of the matrix for every scenario, with a cell for each of its endings")
  func matrix() throws {
    let matrix = try MemlabBinary.run(["matrix"])
    #expect(matrix.exitCode == 0)
    let rows = matrix.stdout.newlineSeparated.filter { $0.hasPrefix("  ") }
      .map { $0.split(separator: " ").map(String.init) }
    for scenario in Self.scenarios {
      let row = rows.filter { $0.first == scenario.id }
      #expect(row.map(\.count) == [scenario.endings.count + 1], "\(scenario.id): \(row)")
    }
  }
}
