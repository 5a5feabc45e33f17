package import MemlabHeapModel
import MemlabRuntimeABI

extension RuntimeTableCheck {
  /// Plants and reads back something for every row.
  ///
  /// - Throws: ``HeapError`` when this build has no recorder, or the heap cannot be read.
  package init() throws {
    let findings = try HeapSelfCheck.findings(.everything)
    let rows = abi.rows.map { row in
      let agrees: Bool? =
        switch findings.result(of: row) {
        case .confirmed: true
        case .refuted: false
        case .unchecked: nil
        }
      return Row(name: row.name, value: row.value, source: row.source, agrees: agrees)
    }
    let obstacle = findings.obstacle.map { "the heap cannot be read: \($0)" }
    self.init(
      column: abi.column.rawValue, rows: rows,
      losses: (obstacle.map { [$0] } ?? []) + findings.losses)
  }
}
