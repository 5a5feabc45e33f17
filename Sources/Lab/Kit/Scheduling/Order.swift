/// An order of the jobs of a deterministic run: what was picked wherever more than one could run.
package struct Order: Sendable, Hashable {
  /// What was picked at each choice, counted from 0 in order of arrival; the rest is first come,
  /// first served, so the list does not end in a 0.
  package let choices: [Int]

  /// First come, first served.
  package static let arrival = Order([])

  /// The order that these choices lead to.
  package init(_ choices: [Int]) {
    self.choices = Array(choices.reversed().drop { $0 == 0 }.reversed())
  }

  /// The choices at which another job than the first is taken, by their place from 0.
  var deviations: [Int] { choices.indices.filter { choices[$0] != 0 } }

  /// The same order, but at one choice the first job is taken.
  func withoutDeviation(at place: Int) -> Order {
    var choices = choices
    choices[place] = 0
    return Order(choices)
  }

  /// Whether this order is shorter to write: its last deviation is earlier, or it has fewer.
  func isShorter(than other: Order) -> Bool {
    (choices.count, deviations.count) < (other.choices.count, other.deviations.count)
  }
}

extension Order: CustomStringConvertible {
  private static let arrivalName = "arrival"

  /// Reads what ``description`` writes.
  ///
  /// - Parameter text: `arrival`, or which job is taken at which choice, both from 1: `5=2,9=3`.
  package init?(_ text: String) {
    if text == Self.arrivalName {
      self = .arrival
      return
    }
    var choices: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let numbers = part.split(separator: "=", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let place = numbers[0], let job = numbers[1],
        place > choices.count, place <= Self.longest, (1...Self.longest).contains(job)
      else { return nil }
      choices += Array(repeating: 0, count: place - choices.count - 1) + [job - 1]
    }
    self.init(choices)
  }

  private static let longest = 1_000_000

  /// Which job is taken at which choice, both from 1, where it is not the first: `5=2,9=3`.
  package var description: String {
    guard !choices.isEmpty else { return Self.arrivalName }
    return deviations.map { "\($0 + 1)=\(choices[$0] + 1)" }.joined(separator: ",")
  }
}
