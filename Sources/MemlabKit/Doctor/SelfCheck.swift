/// Checks that a planted leak is found and that a planted clean run is not reported, before anything
/// else is measured.
package struct SelfCheck: Sendable {
  private let leak: Ending
  private let clean: Ending

  /// The check with memlab's own plants.
  package init() {
    self.init(leak: Plants.leak, clean: Plants.clean)
  }

  /// A check with these plants: the first must be measured as a leak, the second as clean.
  package init(leak: Ending, clean: Ending) {
    self.leak = leak
    self.clean = clean
  }

  /// Runs both plants.
  ///
  /// - Parameters:
  ///   - scheduler: what runs their tasks.
  ///   - witness: what reads the heap; nil where it cannot be read.
  ///   - detail: how much is found out. Use the detail of the next measurement, so that the work that
  ///     is only done the first time is done here.
  /// - Returns: what was measured of them.
  /// - Throws: ``SelfCheckError`` when the measurement of a plant is wrong; ``TrialError`` when it
  ///   cannot be run.
  @discardableResult
  package func run(
    on scheduler: any Scheduler, witness: HeapWitness? = nil, detail: HeapDetail = .holders
  ) throws -> [TrialReport] {
    try [(leak, Verdict.leak), (clean, .clean)].map { ending, verdict in
      let trial = try Trial(of: ending, on: scheduler, witness: witness, detail: detail).run()
      guard trial.verdict == verdict, trial.asExpected else {
        throw SelfCheckError(
          planted: verdict, measured: trial.verdict, differences: trial.differences)
      }
      return trial
    }
  }
}

/// memlab measured its own plants wrongly, so none of its numbers can be trusted.
package struct SelfCheckError: Error, CustomStringConvertible {
  /// What the plant is.
  let planted: Verdict
  /// What was measured of it.
  let measured: Verdict
  /// Each difference from the plant's declaration, as a sentence.
  let differences: [String]

  /// A sentence without its full stop.
  package var description: String {
    let details = differences.isEmpty ? "" : " (\(differences.joined(separator: "; ")))"
    return "the self-check failed: a planted \(planted.rawValue) was measured as "
      + "\(measured.rawValue)\(details); nothing was run"
  }
}
