import MemlabHeapModel
package import MemlabKit

/// A program around scenarios: what is its own, and not the same in all of them.
package struct App: Sendable {
  /// The word that starts it, as it is typed.
  package var name: String
  /// The version that `--version` prints.
  package var version: String
  /// The scenarios that may be named.
  package var scenarios: [Scenario]
  /// The file of what its endings are expected to measure, where that is not declared in code; nil
  /// where there is none.
  package var expectedFile: ExpectedFile?
  /// The course that its scenarios belong to; nil where there is none. Then the program does not
  /// have the commands for it.
  package var course: Course?
  /// The commands that run in it, by name.
  package var commands: [String: any Command.Type]
  /// Its heap, as the second witness.
  package var heap: any ProcessHeap.Type
  /// Whether it lists memlab's other commands, and starts `memlab-full` for them.
  package var startsFullProgram = false

  /// A program.
  ///
  /// - Parameters:
  ///   - name: the word that starts it.
  ///   - version: the version that `--version` prints; by default that of memlab.
  ///   - scenarios: the scenarios that may be named.
  ///   - course: the course that they belong to.
  ///   - heap: its heap.
  ///   - commands: the commands that run in it, by name.
  package init(
    name: String = "memlab", version: String = Memlab.version, scenarios: [Scenario],
    course: Course? = nil, heap: any ProcessHeap.Type,
    commands: [String: any Command.Type] = Commands.measuring
  ) {
    (self.name, self.version, self.scenarios) = (name, version, scenarios)
    (self.course, self.heap, self.commands) = (course, heap, commands)
  }

  /// The families of the scenarios' documents, in the order of the scenarios.
  package var families: [String] { scenarios.map(\.document.family).uniqued() }
}

extension [Scenario] {
  /// Neighbours that come from one document, together.
  package var inDocuments: [[Scenario]] { inGroups { $0[0].document == $0[$0.count - 1].document } }
}

/// The texts and the exercises that belong to scenarios.
package struct Course: Sendable {
  /// The folders in `Lessons/`, in order.
  package var lessons: [String]
  /// The exercises that may be named.
  package var exercises: @Sendable () -> [Exercise]
  /// The sets of programs that are predicted before and after it, an ending for each program.
  package var inventory: @Sendable () -> [Scenario]

  /// A course. Few commands need the exercises or the inventory, so these are not made at each start.
  package init(
    lessons: [String], exercises: @escaping @Sendable () -> [Exercise] = { [] },
    inventory: @escaping @Sendable () -> [Scenario] = { [] }
  ) { (self.lessons, self.exercises, self.inventory) = (lessons, exercises, inventory) }
}

extension App {
  /// What is wrong with the scenarios, one sentence each; empty when all is well.
  ///
  /// `memlab`'s own are tested. Those of others are looked at each time, before anything runs.
  package var problems: [String] {
    guard !scenarios.isEmpty else { return ["\(name) has no scenarios; give it one."] }
    return scenarios.map(\.id).repeated.uniqued().map { "Two scenarios have the id '\($0)'." }
      + Commands.table(of: self).problems(scenarios: scenarios.map(\.id))
      .map { $0.capitalizedFirst + "." }
      + scenarios.flatMap(problems(of:))
  }

  private func problems(of scenario: Scenario) -> [String] {
    let id = scenario.id
    var found: [String] = []
    if !id.isPlainWord || id.hasPrefix("-") {
      found.append("The id '\(id)' cannot be typed as one word; use lowercase and hyphens.")
    }
    if scenario.endings.isEmpty { found.append("The scenario '\(id)' has no endings.") }
    found += scenario.endings.map(\.name).repeated.uniqued().map {
      "The scenario '\(id)' has two endings '\($0)'."
    }
    for other in [scenario.next, scenario.fixedBy].compactMap(\.self)
    where !scenarios.contains(where: { $0.id == other }) {
      found.append("The scenario '\(id)' points to '\(other)', which is not there.")
    }
    return found
  }
}
