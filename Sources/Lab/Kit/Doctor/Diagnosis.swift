package import MemlabHeapModel

/// One thing that memlab depends on, and its state on this machine.
package struct Diagnosis: Sendable {
  /// What it is, in one or two words.
  package let name: String
  /// Whether memlab can rely on it; nil where nothing depends on it.
  package let isSound: Bool?
  /// Its state.
  package let text: String

  /// A diagnosis.
  ///
  /// - Parameters:
  ///   - name: what it is.
  ///   - isSound: whether memlab can rely on it; nil where nothing depends on it.
  ///   - text: its state.
  package init(_ name: String, isSound: Bool? = nil, _ text: String) {
    (self.name, self.isSound, self.text) = (name, isSound, text)
  }
}

/// What `memlab doctor` says of the table that the heap is read by.
package struct RuntimeTableReport: Sendable {
  /// The table and what was found; nil where nothing could be checked.
  package let check: RuntimeTableCheck?
  /// The table as one line, and what frames lie in where that was seen.
  package let summary: [Diagnosis]

  /// A table that was not checked, for a reason that is a clause.
  package init(unchecked reason: String) {
    check = nil
    summary = [Diagnosis("runtime table", "not checked: \(reason)")]
  }

  /// What was found of every row.
  package init(_ check: RuntimeTableCheck) {
    self.check = check
    let wrong = check.rows.filter { $0.agrees == false }.map(\.name)
    let used = check.rows.filter(\.isUsed)
    let unchecked = used.filter { $0.agrees == nil }.map(\.name)
    let exception = ", except for those that nothing can be planted for: "
    let rest = unchecked.isEmpty ? "" : exception + unchecked.joined(separator: ", ")
    let text =
      wrong.isEmpty
      ? "\(used.count) rows for \(check.column), each read back as planted\(rest)"
      : "\(wrong.count) of \(check.rows.count) rows do not fit: \(wrong.joined(separator: ", "))"
    summary =
      [Diagnosis("runtime table", isSound: wrong.isEmpty, text)]
      + (check.frames.map { [Diagnosis("frames", $0.description)] } ?? [])
  }
}
