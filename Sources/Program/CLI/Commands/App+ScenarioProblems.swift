import MemlabHeapModel
import MemlabKit

extension App {
  /// What is wrong with the scenarios, one sentence each; empty when all is well.
  ///
  /// `memlab`'s own are tested. Those of others are looked at each time, before anything runs.
  package var problems: [String] {
    guard !scenarios.isEmpty else { return ["\(name) has no scenarios; give it one."] }
    return repeated(scenarios.map(\.id)).map { "Two scenarios have the id '\($0)'." }
      + Commands.table(of: self).problems(scenarios: scenarios.map(\.id)).map {
        $0.prefix(1).uppercased() + $0.dropFirst() + "."
      }
      + scenarios.flatMap(problems(of:))
  }

  private func problems(of scenario: Scenario) -> [String] {
    let id = scenario.id
    var found: [String] = []
    if id.isEmpty || id.hasPrefix("-") || id.contains(where: { $0.isWhitespace || $0 == "," }) {
      found.append("The id '\(id)' cannot be typed as one word; use lowercase and hyphens.")
    }
    if scenario.endings.isEmpty { found.append("The scenario '\(id)' has no endings.") }
    found += repeated(scenario.endings.map(\.name)).map {
      "The scenario '\(id)' has two endings '\($0)'."
    }
    for other in [scenario.next, scenario.fixedBy].compactMap(\.self)
    where !scenarios.contains(where: { $0.id == other }) {
      found.append("The scenario '\(id)' points to '\(other)', which is not there.")
    }
    return found
  }

  private func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }.uniqued()
  }
}
