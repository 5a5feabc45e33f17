package import RuntimeABI

/// What the probes have found out about the rows of the table.
package struct ProbeFindings: Sendable {
  /// What is known of one row.
  package enum Result: Sendable, Equatable {
    /// The thing that the row describes was planted and read back.
    case confirmed
    /// It was read back otherwise than it was planted.
    case refuted
    /// Nothing was planted for it in this check.
    case unchecked
  }

  private var results: [String: Bool] = [:]
  private var misread: Set<RuntimeProbe> = []

  /// Notes whether a row agrees with what was planted. A row may be asked about several times; each
  /// time must agree.
  package mutating func expect(_ row: String, _ agrees: Bool) {
    results[row] = results[row, default: true] && agrees
  }

  /// Notes that a snapshot shows something else than was planted, though each row agrees.
  mutating func noteMisread(_ probe: RuntimeProbe) {
    // A set is read as a dictionary is: without that, its elements are not looked for.
    if probe == .sets, failedProbes.contains(.dictionaries) { return }
    misread.insert(probe)
  }

  /// What is known of a row.
  package func result(of row: RuntimeRow) -> Result {
    if misread.contains(row.probe) { return .refuted }
    return results[row.name].map { $0 ? .confirmed : .refuted } ?? .unchecked
  }

  /// The rows that were refuted, in the table's order.
  package var refuted: [RuntimeRow] { abi.rows.filter { result(of: $0) == .refuted } }

  /// The probes that failed.
  package var failedProbes: Set<RuntimeProbe> { Set(refuted.map(\.probe)) }

  /// The first sentence that says why the heap cannot be read at all; nil where it can.
  package var obstacle: String? {
    let rows = refuted.filter { $0.probe.loss == nil }
    if let row = rows.first(where: { results[$0.name] == false }) {
      return "the row \(row.name) of its table does not fit, see memlab doctor --verbose"
    }
    return rows.first.map { row in
      "\(row.probe.rawValue): not read back as planted, see memlab doctor --verbose"
    }
  }

  /// A sentence for each thing that is not told here, because its layout is not known.
  package var losses: [String] {
    let failed = failedProbes
    return RuntimeProbe.allCases.filter(failed.contains).compactMap { probe in
      let rows = abi.rows(checkedBy: probe)
      guard let loss = probe.loss,
        let row = rows.first(where: { results[$0.name] == false }) ?? rows.first
      else { return nil }
      return "this runtime is not as expected (\(row.name)): \(loss)"
    }
  }
}

extension RuntimeProbe {
  /// What is lost when only this probe fails, as the rest of a sentence; nil when the heap cannot be
  /// read without what it checks.
  package var loss: String? {
    switch self {
    case .lazyProperties: "lazy properties have the compiler's names"
    case .structures, .enumerations, .indirectCases, .tuples, .existentials, .genericTypes:
      nil
    case .boxes: "what is in a box is shown as memory"
    case .errors: "errors have no type, and what they hold is shown as memory"
    case .arrays: "references in arrays are shown as memory"
    case .dictionaries: "references in dictionaries and sets are shown as memory"
    case .sets: "references in sets are shown as memory"
    case .deques: "references in the buffers of streams are shown as memory"
    case .strings: "the storage of a string is searched for references"
    case .taskNames: "tasks have no names on the heap"
    case .taskResults: "what finished tasks hold is not shown"
    case .dispatchBlocks: "calls that libdispatch has made may count as holders"
    case .symbolNames: "functions may have the compiler's names"
    case .libraryFrames: "it may not be said what a task waits in"
    case .libraryNames: "functions of libraries may count as the program's own"
    case .testLibrary: "what the test library holds may count as a leak"
    case .classes, .resilientClasses, .referenceCounts, .sideTables, .closures, .ownership,
      .exports, .tasks, .frames, .slabs, .asyncLet, .taskGroups, .waiters, .taskLocals, .executors:
      nil
    }
  }
}
