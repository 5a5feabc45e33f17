package import MemlabHeapModel
import MemlabHeapReader

/// What `memlab doctor` says of the table that the heap is read by.
package struct RuntimeTableReport: Sendable {
  /// The table and what was found; nil where nothing could be checked.
  package let check: RuntimeTableCheck?
  /// The table as one line.
  package let summary: Diagnosis

  /// A table that was not checked, for a reason that is a clause.
  package init(unchecked reason: String) {
    check = nil
    summary = Diagnosis("runtime table", "not checked: \(reason)")
  }

  /// Checks every row.
  package init() {
    do {
      let check = try RuntimeTableCheck()
      self.check = check
      let wrong = check.rows.filter { $0.agrees == false }.map(\.name)
      let unchecked = check.rows.filter { $0.agrees == nil }.map(\.name)
      let rest =
        unchecked.isEmpty
        ? ""
        : ", except for those that nothing can be planted for: "
          + unchecked.joined(separator: ", ")
      let text =
        wrong.isEmpty
        ? "\(check.rows.count) rows for \(check.column), each read back as planted\(rest)"
        : "\(wrong.count) of \(check.rows.count) rows do not fit: \(wrong.joined(separator: ", "))"
      summary = Diagnosis("runtime table", isSound: wrong.isEmpty, text)
    } catch {
      check = nil
      summary = Diagnosis("runtime table", "not checked: \(error)")
    }
  }
}
