import MemlabHeapModel
package import MemlabKit
import MemlabTerminalText

/// The endings that a command line names, in the order of the catalog, and which of them to run.
package struct CheckSelection: Sendable {
  /// An ending of a scenario.
  package typealias Item = (scenario: Scenario, ending: Ending)

  /// Every ending of the named scenarios; of all of them if none is named.
  let items: [Item]
  /// Whether nothing of the catalog was left out.
  let isWhole: Bool
  // What `--only`, `--family` and `--ending` ask for; an ending must pass all that are given.
  private let patterns: [String]
  private let families: [String]
  private let ending: String?

  /// The endings that pass the filters.
  package var selected: [Item] { items.filter(isSelected) }

  /// Whether an ending will be run.
  func isSelected(_ item: Item) -> Bool {
    admits(item.scenario) && (ending == nil || ending == item.ending.name)
  }

  /// Reads the named scenarios, `--only`, `--family` and `--ending`.
  ///
  /// - Parameters:
  ///   - invocation: the command line.
  ///   - session: has the scenarios.
  /// - Throws: `UsageError` when nothing is selected.
  package init(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let named = invocation.positionals
    let wanted = session.scenarios.filter { named.isEmpty || named.contains($0.id) }
    items = wanted.flatMap { scenario in scenario.endings.map { (scenario, $0) } }
    patterns = invocation.values("only")
    families = invocation.values("family")
    ending = invocation.value("ending")
    isWhole = named.isEmpty && patterns.isEmpty && families.isEmpty && ending == nil
    if selected.isEmpty { throw complaint(invocation) }
  }

  private func admits(_ scenario: Scenario) -> Bool {
    (patterns.isEmpty || patterns.contains { scenario.id.matches($0) })
      && (families.isEmpty || families.contains(scenario.document.family))
  }

  // The error for filters that let nothing through.
  private func complaint(_ invocation: Invocation) -> UsageError {
    let admitted = items.filter { admits($0.scenario) }
    if let ending, !admitted.isEmpty, !admitted.contains(where: { $0.ending.name == ending }) {
      let names = admitted.map(\.ending.name).uniqued()
      // The catalog has dozens of names of endings, too many to list in a sentence.
      guard names.count > 12 else {
        return invocation.invalidValue(of: "ending", expected: .oneOf(names))
      }
      return invocation.usageError(
        "No scenario has an ending \(quoted(ending)). See '\(invocation.program) matrix'.",
        suggestions: nearest(to: ending, among: names))
    }
    let typed = (patterns.map { "--only \($0)" } + families.map { "--family \($0)" })
    return invocation.usageError(
      "No scenario matches \(quoted(typed.joined(separator: " "))). See '\(invocation.program) list'.",
      suggestions: patterns.flatMap { nearest(to: $0, among: items.map(\.scenario.id)) })
  }
}

extension String {
  /// Whether the text contains a pattern, or is what it describes if it has `*`, `?` or `[` in it.
  ///
  /// - Parameter pattern: a part of the text, or a pattern as in a shell's file names.
  fileprivate func matches(_ pattern: String) -> Bool {
    pattern.contains { "*?[".contains($0) }
      ? SystemCalls.matches(self, glob: pattern) : contains(pattern)
  }
}
