import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabScenarios
import Testing

@Suite("The catalog") struct CatalogTests {
  @Test("has unique ids, none of which is a command's name") func ids() {
    let ids = Catalog.scenarios.map(\.id)
    #expect(Set(ids).count == ids.count)
    let commands = Commands.table(of: .memlab).commands.map(\.name) + ["help"]
    #expect(ids.filter(commands.contains) == [])
    #expect(ids.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } })
  }

  @Test("has something to say in every field of every scenario", arguments: Catalog.scenarios)
  func fields(scenario: Scenario) {
    let texts =
      [scenario.title, scenario.place, scenario.lesson ?? "", scenario.question, scenario.hint]
      + scenario.endings.flatMap { [$0.name, $0.title, $0.explanation] }
      + scenario.endings.flatMap { $0.claims.flatMap { [$0.text, $0.original] } }
    #expect(texts.allSatisfy { !$0.isEmpty })
    let questions = [scenario.question] + scenario.endings.compactMap(\.question)
    #expect(questions.allSatisfy { $0.hasSuffix("?") })
    #expect(Set(questions).count == questions.count)
  }

  @Test(
    "ends every scenario in at least two ways, each with a name of its own",
    arguments: Catalog.scenarios)
  func endings(scenario: Scenario) {
    let names = scenario.endings.map(\.name)
    #expect(names.count >= 2)
    #expect(Set(names).count == names.count)
  }

  @Test(
    "lists what people wrongly believe of every scenario with objects",
    arguments: Catalog.scenarios.filter { $0.endings.contains { !$0.expects.objects.isEmpty } })
  func beliefs(scenario: Scenario) {
    #expect(!scenario.beliefs.isEmpty)
    #expect(Set(scenario.beliefs.map(\.cause)).count == scenario.beliefs.count)
    #expect(scenario.beliefs.allSatisfy { $0.because.hasSuffix(".") })
    let survives = scenario.endings.contains { $0.expects.objects.contains { $0.alive > 0 } }
    #expect(survives || !scenario.beliefs.contains { $0.cause == .nobody })
  }

  @Test(
    "points from a fault to a fix that is clean in every ending",
    arguments: Catalog.scenarios.filter { $0.isFaulty && $0.fixedBy != nil })
  func fixes(scenario: Scenario) throws {
    let fix = try #require(scenario.fixedBy.flatMap(Catalog.scenario))
    #expect(!fix.isFaulty, "\(scenario.id) is fixed by \(fix.id), which is not clean")
  }

  @Test(
    "has the fix in an ending of its own where a fault points to none",
    arguments: Catalog.scenarios.filter { $0.isFaulty && $0.fixedBy == nil })
  func ownFixes(scenario: Scenario) {
    #expect(scenario.endings.contains { $0.expects.verdict == .clean })
  }

  @Test("knows every document by a family", arguments: Catalog.scenarios)
  func families(scenario: Scenario) {
    #expect(App.memlab.families.contains(scenario.document.family))
    #expect(scenario.document.family != Document(file: "", title: "").family)
  }

  @Test("points to a next scenario that exists", arguments: Catalog.scenarios.compactMap(\.next))
  func next(id: String) { #expect(Catalog.scenario(id) != nil) }

  @Test("fits the report's first line into 80 columns", arguments: Catalog.scenarios)
  func width(scenario: Scenario) {
    #expect(
      scenario.id.count + scenario.title.count + " · ".count + "  races on purpose".count <= 80)
  }
}

extension Scenario {
  /// Whether any ending leaves something behind or loses something, on purpose.
  fileprivate var isFaulty: Bool { endings.contains { $0.expects.verdict != .clean } }
}
