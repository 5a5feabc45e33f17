import MemlabHeapModel
import MemlabRuntimeABI

/// The table of the runtime, each row with what the probes have found.
package struct RuntimeTableCheck: Sendable {
  /// A row of the table.
  package struct Row: Sendable {
    /// The row's name, such as `task.size`.
    package let name: String
    /// The value in use, as text.
    package let value: String
    /// The file that the value is written down in.
    package let source: String
    /// Whether what the row describes was read back as it was planted; nil where nothing was planted.
    package let agrees: Bool?
  }

  /// The processor and the version of the runtime that the values are for.
  package let column: String
  /// The rows, in the table's order.
  package let rows: [Row]
  /// What cannot be told here, a sentence for each probe that has failed.
  package let losses: [String]

  /// Plants and reads back something for every row.
  ///
  /// - Throws: ``HeapError`` when this build has no recorder, or the heap cannot be read.
  package init() throws {
    let findings = try HeapSelfCheck.findings(.everything)
    column = abi.column.rawValue
    rows = abi.rows.map { row in
      let agrees: Bool? =
        switch findings.result(of: row) {
        case .confirmed: true
        case .refuted: false
        case .unchecked: nil
        }
      return Row(name: row.name, value: row.value, source: row.source, agrees: agrees)
    }
    let obstacle = findings.obstacle.map { "the heap cannot be read: \($0)" }
    losses = (obstacle.map { [$0] } ?? []) + findings.losses
  }
}
