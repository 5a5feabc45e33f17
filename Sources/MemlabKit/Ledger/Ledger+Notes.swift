import HeapGraph

extension Ledger {
  /// Enters that something worth telling has happened once more, such as "consumer received".
  ///
  /// The report shows it with the step in which it happened.
  package func note(_ what: String) {
    enter { state in
      state.notes[what].times += 1
      state.changes += 1
    }
  }

  /// How often this has been noted.
  package func notes(of what: String) -> Int {
    state.withLock { $0.notes[what].times }
  }

  /// Enters a figure of the scenario's own, such as ``Metric/lostUpdates``, in place of an earlier
  /// value.
  package func setMetric(_ name: Metric, _ value: Int) {
    enter { state in
      state.metrics[name] = value
      state.changes += 1
    }
  }
}
