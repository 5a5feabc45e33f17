/// Counts, in the order in which their names were first used.
struct Tally<Count: Counted>: Sendable {
  /// The counts.
  private(set) var rows: [Count] = []

  /// The count of this name, created on first use.
  subscript(name: String) -> Count {
    get { rows.first { $0.name == name } ?? Count(name: name) }
    set {
      if let index = rows.firstIndex(where: { $0.name == name }) {
        rows[index] = newValue
      } else {
        rows.append(newValue)
      }
    }
  }
}
