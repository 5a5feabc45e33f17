import MemlabKit

/// Enters what the document's demonstrations print into the ledger.
protocol Notebook {}

extension Notebook {
  /// Notes a printed line in the current step; values are only counted.
  static func print(_ text: String, _ value: Int = 0) { Ledger.current?.note(text) }

  /// Enters two figures: `print("A:", 20, "B:", 10)`.
  static func print(_ nameA: String, _ countA: Int, _ nameB: String, _ countB: Int) {
    for (name, count) in [(nameA, countA), (nameB, countB)] {
      Ledger.current?.setMetric(Metric(rawValue: String(name.dropLast())), count)
    }
  }
}

extension Ledger {
  /// Whether something has been noted so many times, as a step's condition.
  func noted(_ what: String, _ times: Int) -> @Sendable () -> Bool {
    { self.notes(of: what) == times }
  }

  /// Whether every task that was started has finished, as a step's condition.
  var allTasksFinished: @Sendable () -> Bool { { self.totals.liveTasks == 0 } }
}
