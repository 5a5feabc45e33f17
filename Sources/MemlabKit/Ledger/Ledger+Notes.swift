import HeapGraph

extension Ledger {
  /// Counts an event that the report should mention, such as "consumer received".
  ///
  /// The report shows it with the step in which it happened.
  public func note(_ what: String) {
    enter { state in
      state.notes[what].times += 1
      state.changes += 1
    }
  }

  /// How often this event was noted.
  public func notes(of what: String) -> Int {
    state.withLock { $0.notes[what].times }
  }

  /// Sets a figure of the scenario's own, such as ``Metric/lostUpdates``.
  public func setMetric(_ name: Metric, _ value: Int) {
    enter { state in
      state.metrics[name] = value
      state.changes += 1
    }
  }
}
