/// The results of running an ending in many orders of the same jobs.
package struct Exploration: Codable, Sendable {
  /// The limits of an exploration.
  package struct Limits: Codable, Sendable, Equatable {
    /// How many orders are run at most.
    package let orders: Int
    /// How many choices are made at most in an order; after them, jobs run in the order of arrival.
    package let choices: Int

    /// Limits.
    ///
    /// - Parameters:
    ///   - orders: how many orders are run at most.
    ///   - choices: how many choices are made at most in an order.
    package init(orders: Int = 2_000, choices: Int = 200) {
      (self.orders, self.choices) = (orders, choices)
    }
  }

  /// A result of at least one order.
  package struct Outcome: Codable, Sendable {
    /// The verdict with its counts.
    package let measured: CheckCounts
    /// Each difference from the declaration, as a sentence.
    package let differences: [String]
    /// How many orders led to it.
    package internal(set) var orders: Int
    /// The shortest order that was found to lead to it, as `--schedules replay:` takes it.
    package internal(set) var order: String

    /// Whether it is as declared.
    package var asExpected: Bool { differences.isEmpty }
  }

  /// The ending's name.
  package let ending: String
  /// How many different orders were run.
  package let orders: Int
  /// How many choices the longest of them has.
  package let choices: Int
  /// Whether these are all orders that there are.
  package let isComplete: Bool
  /// The limits that applied.
  package let limits: Limits
  /// Their results; the result of the most orders comes first.
  package let outcomes: [Outcome]
  /// What is declared for some order, and was measured in none.
  package let missing: [CheckCounts]
  /// Whether every order measured what is declared, and every declared result was measured.
  package let asExpected: Bool
  /// The shortest order found whose result is not as declared; nil when there is none.
  package let breaking: String?
  /// Why the orders may not be to blame, as a sentence; nil where nothing speaks for that.
  package let remark: String?
}

extension Exploration {
  /// How many orders had a result that is not declared.
  package var breakingOrders: Int {
    outcomes.filter { !$0.asExpected }.reduce(0) { $0 + $1.orders }
  }

  /// The differences in the shortest order whose result is not declared, as sentences.
  package var differences: [String] {
    guard let breaking, let outcome = outcomes.first(where: { $0.order == breaking }) else {
      return missing.map(\.sentenceOfAbsence)
    }
    let orders =
      "\(breakingOrders) of \(orders) orders, the shortest --schedules replay:\(breaking)"
    return ["otherwise in \(orders)"] + outcome.differences + (remark.map { [$0] } ?? [])
  }
}

extension CheckCounts {
  /// "declared for some order, and came of none: race, lostUpdates 1".
  package var sentenceOfAbsence: String {
    "declared for some order, and came of none: "
      + ([verdict?.rawValue ?? ""] + figures).joined(separator: ", ")
  }

  /// The scenario's own figures in words, by name: `lostUpdates 1`.
  package var figures: [String] {
    metrics.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
  }
}
