package import MemlabHeapModel
import MemlabRuntimeABI

/// Finds out whether the heap trace can be trusted in this process.
///
/// What the runtime keeps where is its own business and changes between releases. The check plants
/// something of every kind, compares it with the table word by word, and then reads it back through
/// a snapshot, as every later one is taken. It waits for nothing and runs no code of others.
package enum HeapSelfCheck {
  /// Plants, compares and reads back. Starts the recorder where it is off, and then stops it at the
  /// end.
  ///
  /// - Parameter isWhole: whether more is checked than what a snapshot is made by: libraries, queues and
  ///   jobs.
  /// - Returns: what is known of each row. What depends on a row that was refuted is turned off in
  ///   this process from now on.
  /// - Throws: ``HeapError/unrecordable(_:)`` when this build has no recorder, and the errors of
  ///   ``HeapSnapshot/take(survivors:variables:)``.
  package static func findings(isWhole: Bool = false) throws -> ProbeFindings {
    try turn.withLock { _ in
      if let obstacle = HeapRecording.obstacle { throw HeapError.unrecordable(obstacle) }
      let isOwner = !HeapRecording.isOn
      if isOwner { HeapRecording.start() }
      defer { if isOwner { HeapRecording.stop() } }
      // To be seen now: later it is asked for while the heap is held.
      _ = ResumeChain.placeOfYield
      let planted = plant(isWhole)
      defer { for planting in planted { planting.end() } }
      var findings = try check(planted)
      if findings.hasMisread {
        // The padding of a global variable may by chance be the address of what was planted, and hide
        // its holder. What is planted beside it lies elsewhere, and a wrong table misleads there too.
        let others = plant(isWhole)
        defer { for planting in others { planting.end() } }
        findings.keepMisread(alsoIn: try check(others))
      }
      RuntimeTrust.doubt(findings.failedProbes)
      return findings
    }
  }

  // The recorder is one for the process: who starts it for a check must not stop it in another's.
  private static let turn = Guarded(())

  /// Plants one thing of every kind.
  private static func plant(_ isWhole: Bool) -> [any Planting] {
    var plantings: [any Planting] = [
      ExportPlanting(), ClassPlanting(), CountPlanting(), ValuePlanting(), ExistentialPlanting(),
      ClosurePlanting(), CollectionPlanting(), OwnershipPlanting(), TaskPlanting(),
      FamilyPlanting(), StreamPlanting(), NameChecks(),
    ]
    if RegistryRows.isKept { plantings.append(RegistryPlanting()) }
    if isWhole { plantings += [LibraryChecks(), DispatchPlanting(), JobPlanting()] }
    return plantings
  }

  private static func check(_ plantings: [any Planting]) throws -> ProbeFindings {
    var findings = ProbeFindings()
    for planting in plantings { planting.compare(&findings) }
    guard findings.obstacle == nil else { return findings }
    // What depends on a refuted row is turned off before what was planted is read back.
    RuntimeTrust.doubt(findings.failedProbes)
    let survey = try HeapSnapshot.take().survey
    for planting in plantings {
      for reference in planting.references {
        if let fault = survey.fault(of: reference) { findings.noteMisread(reference.probe, fault) }
      }
      planting.read(survey, &findings)
    }
    return findings
  }

  /// Checks what the concurrency library exports for debuggers.
  static func checkExports() throws {
    guard let symbols = RuntimeSymbols.current else {
      throw HeapError.unknownRuntime("libswift_Concurrency does not export its layout")
    }
    if let version = symbols.layoutVersion, version != abi.task.version {
      throw HeapError.unknownRuntime("its layout version is \(version), not \(abi.task.version)")
    }
    if let size = symbols.taskSize, size != abi.task.size {
      throw HeapError.unknownRuntime("a task has \(size) bytes, not \(abi.task.size)")
    }
  }

  /// Checks what a snapshot is made by.
  ///
  /// - Returns: the sentences of ``ProbeFindings/losses``.
  /// - Throws: as ``findings(_:)``, and ``HeapError/unknownRuntime(_:)`` when the heap cannot be read
  ///   without what was refuted.
  @discardableResult
  package static func run() throws -> [String] {
    let findings = try findings()
    if let obstacle = findings.obstacle { throw HeapError.unknownRuntime(obstacle) }
    return findings.losses
  }
}

extension RuntimeTableCheck {
  /// Plants and reads back something for every row.
  ///
  /// - Throws: ``HeapError`` when this build has no recorder, or the heap cannot be read.
  package init() throws {
    let findings = try HeapSelfCheck.findings(isWhole: true)
    let rows = abi.rows.map { row in
      Row(
        name: row.name, value: row.value, source: row.source, agrees: findings.agrees(row),
        isUsed: findings.uses(row))
    }
    let obstacle = findings.obstacle.map { "the heap cannot be read: \($0)" }
    self.init(
      column: abi.column.rawValue, rows: rows, frames: findings.frames,
      losses: (obstacle.map { [$0] } ?? []) + findings.losses)
  }
}
