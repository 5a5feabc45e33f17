import MemlabKit

/// `check --record`: what is measured becomes what is expected.
struct RecordRun {
  private let file: ExpectedFile
  private let session: Session
  private let program: String

  /// A recording into the program's file.
  ///
  /// - Throws: `UsageError` where there is nothing to record.
  init(_ invocation: Invocation, in session: Session) throws(UsageError) {
    guard let file = session.app.expectedFile, session.app.recordsAny else {
      throw invocation.usageError(
        "Every ending declares in code what it measures, so there is nothing to record.")
    }
    (self.file, self.session, program) = (file, session, invocation.program)
  }

  /// The session in which endings are measured: what was recorded before is not compared with.
  var measuring: Session {
    var session = session
    session.app.scenarios = session.scenarios.map { scenario in
      scenario.declaring { $0.expects.isRecorded ? .nothing : nil }
    }
    return session
  }

  /// Writes what was measured into the file, and says what has changed in it.
  ///
  /// What was not measured this time stays, unless the program no longer has the ending.
  ///
  /// - Throws: ``ExpectedFileError`` when the file that is there cannot be understood; `OutputError`
  ///   when it cannot be written.
  func write(_ measured: [(scenario: Scenario, trial: TrialReport)]) throws {
    let old = try file.read() ?? ExpectedResults()
    let new = measured.map { ExpectedResults.Entry($0.scenario.id, $0.trial) }
      .filter(session.app.isRecorded)
    let kept = old.entries.filter { entry in
      session.app.isRecorded(entry) && !new.contains { entry.isOfSameEnding(as: $0) }
    }
    let order = session.scenarios.flatMap { scenario in
      scenario.endings.map { "\(scenario.id) \($0.name)" }
    }
    let all = (kept + new).sorted {
      (order.firstIndex(of: $0.place) ?? 0) < (order.firstIndex(of: $1.place) ?? 0)
    }
    try file.write(ExpectedResults(all), for: program)
    try session.errors.write(sentences(from: old.entries, to: all))
  }

  private func sentences(
    from old: [ExpectedResults.Entry], to new: [ExpectedResults.Entry]
  ) -> String {
    let added = new.filter { entry in !old.contains { $0.isOfSameEnding(as: entry) } }
    let removed = old.filter { entry in !new.contains { $0.isOfSameEnding(as: entry) } }
    let changed = new.filter { entry in
      old.contains { $0.isOfSameEnding(as: entry) && $0.lines != entry.lines }
    }
    let parts = [("new", added), ("changed", changed), ("removed", removed)]
      .filter { !$0.1.isEmpty }
      .map { "\($0.0): \($0.1.map(\.place).joined(separator: ", "))" }
    let start = "'\(file.path)' has what \(counted(new.count, "ending")) measured"
    guard !parts.isEmpty else { return "\(start); nothing has changed.\n" }
    return "\(start). \(parts.joined(separator: "; ").capitalizedFirst). "
      + "Read the difference before you commit it.\n"
  }
}

extension ExpectedResults.Entry {
  /// The scenario and its ending.
  fileprivate var place: String { "\(scenario) \(ending)" }

  fileprivate func isOfSameEnding(as other: ExpectedResults.Entry) -> Bool {
    (scenario, ending) == (other.scenario, other.ending)
  }
}

extension String {
  /// The text with a capital at its beginning.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
