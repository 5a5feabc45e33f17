/// Shows that a leak is seen and that a clean run is silent, before anything else is believed.
package struct SelfCheck: Sendable {
  private let leak: Ending
  private let clean: Ending

  /// The check with memlab's own plants.
  package init() {
    self.init(leak: Plants.leak, clean: Plants.clean)
  }

  /// A check with these plants: the first must be seen to leak, the second to be clean.
  package init(leak: Ending, clean: Ending) {
    self.leak = leak
    self.clean = clean
  }

  /// Runs both plants.
  ///
  /// - Parameters:
  ///   - scheduler: what runs their tasks.
  ///   - witness: what reads the heap; nil where it cannot be read.
  ///   - detail: how much is found out; as much as of what is measured next, so that what takes long
  ///     the first time has been done.
  /// - Returns: what was measured of them.
  /// - Throws: ``SelfCheckError`` when a plant is not measured as what it is; ``TrialError`` when
  ///   it cannot be run.
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

/// memlab does not measure what it has planted itself, so none of its numbers can be believed.
package struct SelfCheckError: Error, CustomStringConvertible {
  let planted: Verdict
  let measured: Verdict
  let differences: [String]

  package var description: String {
    let details = differences.isEmpty ? "" : " (\(differences.joined(separator: "; ")))"
    return "the self-check failed: a planted \(planted.rawValue) was measured as "
      + "\(measured.rawValue)\(details); nothing was run"
  }
}
