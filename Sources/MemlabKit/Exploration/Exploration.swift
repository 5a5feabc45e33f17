/// What came of running an ending in many orders of the same jobs.
package struct Exploration: Codable, Sendable {
  /// How far it may go.
  package struct Limits: Codable, Sendable, Equatable {
    /// How many orders are run at most.
    package let orders: Int
    /// How many choices are made at most in an order; later ones fall to the job that came first.
    package let choices: Int

    /// Limits.
    package init(orders: Int = 2_000, choices: Int = 200) {
      (self.orders, self.choices) = (orders, choices)
    }
  }

  /// Something that came of at least one order.
  package struct Outcome: Codable, Sendable {
    /// The verdict with its counts.
    package let measured: CheckCounts
    /// Each way in which it differs from what is declared, as a sentence; empty where it does not.
    package let differences: [String]
    /// How many orders led to it.
    package internal(set) var orders: Int
    /// The shortest order that was found to lead to it, as `--schedules replay:` takes it.
    package internal(set) var order: String

    /// Whether that is what is declared.
    package var asExpected: Bool { differences.isEmpty }
  }

  /// The ending's name.
  package let ending: String
  /// How many different orders were run.
  package let orders: Int
  /// How many choices the longest of them has.
  package let choices: Int
  /// Whether there are no others.
  package let isComplete: Bool
  /// How far it might have gone.
  package let limits: Limits
  /// What came of them, that of the most orders first.
  package let outcomes: [Outcome]
  /// What is declared for some order, and came of none.
  package let missing: [CheckCounts]
  /// Whether what is declared was measured in every order that was run, and all of it in some.
  package let asExpected: Bool
  /// The shortest order that was found to break what is declared; nil when there is none.
  package let breaking: String?
}

extension Exploration {
  /// How many orders broke what is declared.
  package var breakingOrders: Int {
    outcomes.filter { !$0.asExpected }.reduce(0) { $0 + $1.orders }
  }

  /// What differs under the shortest order that breaks the declaration, as sentences.
  package var differences: [String] {
    guard let breaking, let outcome = outcomes.first(where: { $0.order == breaking }) else {
      return missing.map(\.sentenceOfAbsence)
    }
    let orders =
      "\(breakingOrders) of \(orders) orders, the shortest --schedules replay:\(breaking)"
    return ["otherwise in \(orders)"] + outcome.differences
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
