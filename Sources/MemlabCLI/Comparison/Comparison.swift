import HeapGraph
import MemlabKit

/// What two trials have measured, fact by fact.
struct Comparison {
  /// A fact of both trials.
  struct Row: Equatable {
    /// What is told.
    let name: String
    /// What the first trial has measured.
    let left: String
    /// What the second has.
    let right: String

    /// Whether both have measured the same.
    var isEqual: Bool { left == right }
  }

  /// The facts, the verdicts first.
  let rows: [Row]
  /// Whether both trials are as their scenarios declare.
  let isAsDeclared: Bool

  /// Compares two trials.
  init(_ left: TrialReport, _ right: TrialReport) {
    isAsDeclared = left.asExpected && right.asExpected
    let sides = (Facts(left), Facts(right))
    let names = sides.0.names + sides.1.names.filter { !sides.0.names.contains($0) }
    rows = names.map { Row(name: $0, left: sides.0[$0], right: sides.1[$0]) }
  }
}

/// What one trial has measured, by name.
private struct Facts {
  private(set) var names: [String] = []
  private var values: [String: String] = [:]

  init(_ trial: TrialReport) {
    add("verdict", trial.verdict.rawValue + (trial.asExpected ? "" : ", NOT as declared"))
    for object in trial.objects {
      add(object.type, "\(object.deinitialized) of \(object.created) deinitialised")
      let chain = trial.heap?.paths.first { $0.type == object.type }
      if let chain { add("\(object.type) is held by", "\(chain.holder)") }
    }
    for task in trial.tasks {
      add("task \(task.name)", "\(task.finished) of \(task.started) finished")
    }
    for (name, value) in trial.metrics.sorted(by: { $0.key < $1.key }) {
      add(name.rawValue, "\(value)")
    }
  }

  /// A value; a dash for what the trial knows nothing of.
  subscript(name: String) -> String { values[name] ?? "–" }

  private mutating func add(_ name: String, _ value: String) {
    guard values[name] == nil else { return }
    names.append(name)
    values[name] = value
  }
}
