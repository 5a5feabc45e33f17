/// Counts in the order in which their names first came up.
struct Tally<Count: Counted>: Sendable {
  private(set) var rows: [Count] = []

  /// The count under a name, made on first use.
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
