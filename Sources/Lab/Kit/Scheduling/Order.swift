/// An order of the jobs of a deterministic run: what was picked wherever more than one could run.
package struct Order: Sendable, Hashable, CustomStringConvertible {
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
  func withoutDeviation(at place: Int) -> Order { Order(changed(choices) { $0[place] = 0 }) }

  /// Whether this order is shorter to write: its last deviation is earlier, or it has fewer.
  func isShorter(than other: Order) -> Bool {
    (choices.count, deviations.count) < (other.choices.count, other.deviations.count)
  }

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

/// Picks the next job wherever more than one could run, and records its choices.
package struct Chooser: Sendable {
  /// A moment at which more than one job could run.
  struct Choice: Sendable, Equatable {
    /// Which one was picked, from 0 in order of arrival.
    let taken: Int
    /// How many there were.
    let count: Int
  }

  private enum Rule: Sendable {
    case order(Order)
    case random(SplitMix64)
  }

  private var rule: Rule
  private let depth: Int
  /// The choices so far.
  private(set) var choices: [Choice] = []
  /// Whether there were more choices than it was allowed to make.
  private(set) var isCut = false
  /// The first choice, from 0, at which the order names a job that does not exist, and how many do.
  private(set) var misfit: (place: Int, count: Int)?

  /// Follows an order.
  ///
  /// - Parameters:
  ///   - order: the order; after its last choice, jobs run in the order of arrival.
  ///   - depth: after how many choices jobs run in the order of arrival.
  package init(_ order: Order, depth: Int = .max) { (rule, self.depth) = (.order(order), depth) }

  /// Makes random choices.
  ///
  /// - Parameters:
  ///   - seed: decides the choices, the same on every machine.
  ///   - depth: after how many choices jobs run in the order of arrival.
  package init(seed: UInt64, depth: Int = .max) {
    (rule, self.depth) = (.random(SplitMix64(seed: seed)), depth)
  }

  /// The order of the choices so far.
  package var order: Order { Order(choices.map(\.taken)) }

  /// Why the order cannot be followed in this run, as a sentence; nil when it can.
  package var complaint: String? {
    if let (place, count) = misfit {
      return "choice \(place + 1) of this run is between \(count) jobs."
    }
    guard case .order(let order) = rule, choices.count < min(order.choices.count, depth) else {
      return nil
    }
    return "this run has \(choices.count) choices, fewer than the order has."
  }

  /// Picks one of so many jobs, by its place in the order of arrival; there is more than one.
  mutating func choose(among count: Int) -> Int {
    guard choices.count < depth else {
      isCut = true
      return 0
    }
    let taken = pick(among: count)
    choices.append(Choice(taken: taken, count: count))
    return taken
  }

  private mutating func pick(among count: Int) -> Int {
    switch rule {
    case .order(let order):
      let place = choices.count
      guard place < order.choices.count else { return 0 }
      if order.choices[place] < count { return order.choices[place] }
      if misfit == nil { misfit = (place, count) }
      return count - 1
    case .random(var generator):
      defer { rule = .random(generator) }
      return Int.random(in: 0..<count, using: &generator)
    }
  }
}

/// A generator whose numbers are the same on every machine, see
/// https://doi.org/10.1145/2714064.2660195 (Steele, Lea, Flood 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins at a seed.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
