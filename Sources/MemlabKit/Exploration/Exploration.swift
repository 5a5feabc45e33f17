/// What came of running an ending in many orders of the same jobs.
public struct Exploration: Codable, Sendable {
  /// How far it may go.
  public struct Limits: Codable, Sendable, Equatable {
    /// How many orders are run at most.
    public let orders: Int
    /// How many choices are made at most in an order; later ones fall to the job that came first.
    public let choices: Int

    /// Limits.
    public init(orders: Int = 2_000, choices: Int = 200) {
      (self.orders, self.choices) = (orders, choices)
    }
  }

  /// Something that came of at least one order.
  public struct Outcome: Codable, Sendable {
    /// The verdict with its counts.
    public let measured: CheckCounts
    /// Each way in which it differs from what is declared, as a sentence; empty where it does not.
    public let differences: [String]
    /// How many orders led to it.
    public internal(set) var orders: Int
    /// The shortest order that was found to lead to it, as `--schedules replay:` takes it.
    public internal(set) var order: String

    /// Whether that is what is declared.
    public var asExpected: Bool { differences.isEmpty }
  }

  /// The ending's name.
  public let ending: String
  /// How many different orders were run.
  public let orders: Int
  /// How many choices the longest of them has.
  public let choices: Int
  /// Whether there are no others.
  public let isComplete: Bool
  /// How far it might have gone.
  public let limits: Limits
  /// What came of them, that of the most orders first.
  public let outcomes: [Outcome]
  /// What is declared for some order, and came of none.
  public let missing: [CheckCounts]
  /// Whether what is declared was measured in every order that was run, and all of it in some.
  public let asExpected: Bool
  /// The shortest order that was found to break what is declared; nil when there is none.
  public let breaking: String?
}

extension Exploration {
  /// How many orders broke what is declared.
  public var breakingOrders: Int {
    outcomes.filter { !$0.asExpected }.reduce(0) { $0 + $1.orders }
  }

  /// What differs under the shortest order that breaks the declaration, as sentences.
  public var differences: [String] {
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
  public var sentenceOfAbsence: String {
    "declared for some order, and came of none: "
      + ([verdict?.rawValue ?? ""] + figures).joined(separator: ", ")
  }

  /// The scenario's own figures in words, by name: `lostUpdates 1`.
  public var figures: [String] {
    metrics.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
  }
}
