import CMemlabProcess
package import MemlabHeapModel
package import MemlabRuntimeABI

/// What the probes have found out about the rows of the table.
package struct ProbeFindings: Sendable {
  /// What the frames of the planted task lie in; nil where none was planted.
  package var frames: FrameMemory?
  // Whether somebody has asked for blocks, and the frames lie in slabs.
  private var isSwitchIgnored: Bool {
    frames == .slabs
      && memlab_process_variable(RuntimeTable.slabSwitch).map { String(cString: $0) } == "0"
  }
  private var results: [String: Bool] = [:]
  // What the snapshot has shown instead, as a clause; empty where the planted thing says it all.
  private var misread: [RuntimeProbe: String] = [:]

  /// Nothing is known yet.
  package init() {}

  /// Notes whether a row agrees with what was planted. A row may be asked about several times; each
  /// time must agree.
  package mutating func expect(_ row: String, _ agrees: Bool) {
    results[row] = results[row, default: true] && agrees
  }

  /// Notes the same of several rows, which agree only together.
  package mutating func expect(_ rows: [String], _ agrees: Bool) {
    for row in rows { expect(row, agrees) }
  }

  /// Notes whether a row agrees that is the number of a bit: set in one place and not in another.
  mutating func expect(_ row: String, bit: UInt32, in place: Place, notIn other: Place) {
    expect(row, place.bit(bit) == true && other.bit(bit) == false)
  }

  /// Notes that a snapshot shows something else than was planted, though each row agrees.
  ///
  /// - Parameters:
  ///   - probe: what was planted.
  ///   - fault: what the snapshot shows instead, as a clause.
  package mutating func noteMisread(_ probe: RuntimeProbe, _ fault: String = "") {
    // A set is read as a dictionary is: without that, its elements are not looked for.
    if probe == .sets, failedProbes.contains(.dictionaries) { return }
    if misread[probe] == nil { misread[probe] = fault }
  }

  /// Whether a snapshot shows something else than was planted.
  var hasMisread: Bool { !misread.isEmpty }

  /// Forgets what was misread here and not in another check: that was a coincidence.
  package mutating func keepMisread(alsoIn others: ProbeFindings) {
    misread = misread.filter { others.misread[$0.key] != nil }
  }

  /// Whether the heap is read by a row here.
  package func uses(_ row: RuntimeRow) -> Bool {
    switch row.presence {
    case .everywhere: true
    case .whereFramesAreInSlabs: frames != .blocks
    case .whereTasksAreListed: RegistryRows.isKept
    }
  }

  /// Whether a row was read back as it was planted; nil where nothing was planted for it.
  package func agrees(_ row: RuntimeRow) -> Bool? {
    misread[row.probe] == nil ? results[row.name] : false
  }

  /// The rows that were refuted, in the table's order.
  package var refuted: [RuntimeRow] {
    // What the rows are called takes a mirror of the table.
    hasMisread || results.values.contains(false) ? abi.rows.filter { agrees($0) == false } : []
  }

  /// The probes that failed.
  package var failedProbes: Set<RuntimeProbe> { Set(refuted.map(\.probe)) }

  /// Why the heap cannot be read at all, as a clause that names each row that stands in the way; nil
  /// where it can be read.
  package var obstacle: String? {
    let failed = refuted.filter { $0.probe.loss == nil }
    let names = failed.filter { results[$0.name] == false }.map(\.name)
    switch names.count {
    case 0:
      return failed.first.map {
        let fault = misread[$0.probe].flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""
        return "\($0.probe.rawValue): not read back as planted\(fault), see memlab doctor --verbose"
      }
    case 1: return "the row \(names[0]) of its table does not fit, see memlab doctor --verbose"
    default:
      let rows = names.joined(separator: ", ")
      return "the rows \(rows) of its table do not fit, see memlab doctor --verbose"
    }
  }

  /// A sentence for each thing that is not told here, because its layout is not known.
  package var losses: [String] {
    let failed = failedProbes
    let ignored =
      isSwitchIgnored ? ["\(RuntimeTable.slabSwitch)=0 has no effect on this runtime"] : []
    return ignored
      + RuntimeProbe.allCases.filter(failed.contains).compactMap { probe in
        let rows = abi.rows(checkedBy: probe)
        let wrong = rows.filter { results[$0.name] == false }
        guard let loss = probe.loss else { return nil }
        // Where each row agrees and only the whole was read otherwise, the first stands for all.
        let names = (wrong.isEmpty ? Array(rows.prefix(1)) : wrong).map(\.name)
        return "this runtime is not as expected (\(names.joined(separator: ", "))): \(loss)"
      }
  }
}

extension RuntimeProbe {
  /// What is lost when only this probe fails, as the rest of a sentence; nil when the heap cannot be
  /// read without what it checks.
  package var loss: String? {
    switch self {
    case .lazyProperties: "lazy properties have the compiler's names"
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
    case .layoutNumbers: "what it has for debuggers does not tell the size of tasks"
    case .stealers: "a task may be enqueued by a second job, which is not shown"
    case .registry: "its own lists of tasks are not compared with the heap and may be holders"
    case .streams: "what the memory of a stream had before may count as its own"
    default: nil
    }
  }
}
