/// Which orders of the same jobs are run, as `--schedules` takes it.
package enum SchedulePlan: Sendable, Equatable {
  /// Every order, up to this many.
  case all(orders: Int)
  /// This many random orders, with the seeds from 1.
  case random(Int)
  /// One random order, with this seed.
  case seed(UInt64)
  /// This one order.
  case replay(Order)

  /// Reads `all`, `all:N`, a number of orders, `seed:S` or `replay:` and an order.
  package init?(_ text: String) {
    if text == "all" {
      self = .all(orders: Exploration.Limits().orders)
    } else if let count = text.afterPrefix("all:").flatMap(Self.count) {
      self = .all(orders: count)
    } else if let count = Self.count(text) {
      self = .random(count)
    } else if let seed = text.afterPrefix("seed:").flatMap({ UInt64($0) }) {
      self = .seed(seed)
    } else if let order = text.afterPrefix("replay:").flatMap({ Order($0) }) {
      self = .replay(order)
    } else {
      return nil
    }
  }

  private static func count(_ text: String) -> Int? {
    Int(text).flatMap { (1...mostOrders).contains($0) ? $0 : nil }
  }

  /// The largest number of orders that can be asked for.
  package static let mostOrders = 1_000_000

  /// What picks the jobs of a single order; nil where there are many.
  package var chooser: Chooser? {
    switch self {
    case .all, .random: nil
    case .seed(let seed): Chooser(seed: seed)
    case .replay(let order): Chooser(order)
    }
  }
}

extension String {
  /// What follows a prefix; nil where the text does not begin with it.
  package func afterPrefix(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

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

  /// The differences in the shortest order whose result is not declared, as sentences.
  package var differences: [String] {
    guard let breaking, let outcome = outcomes.first(where: { $0.order == breaking }) else {
      return missing.map(\.sentenceOfAbsence)
    }
    let broken = outcomes.filter { !$0.asExpected }.reduce(0) { $0 + $1.orders }
    let orders = "\(broken) of \(orders) orders, the shortest --schedules replay:\(breaking)"
    return ["otherwise in \(orders)"] + outcome.differences + (remark.map { [$0] } ?? [])
  }
}

/// Runs an ending in many orders of the same jobs, each measured by both witnesses.
package struct Explorer: Sendable {
  private let ending: Ending
  private let scheduler: VirtualScheduler
  private let witness: (any HeapWitness)?
  private let limits: Exploration.Limits
  private let known: TrialReport?

  /// An explorer of an ending.
  ///
  /// - Parameters:
  ///   - ending: what is run.
  ///   - scheduler: what runs it.
  ///   - witness: what reads the heap after each order; nil where it cannot be read.
  ///   - limits: how far to go.
  ///   - known: what the order of arrival has measured in this process before; nil when it was not run.
  package init(
    of ending: Ending, on scheduler: VirtualScheduler, witness: (any HeapWitness)?,
    limits: Exploration.Limits = .init(), after known: TrialReport? = nil
  ) {
    (self.ending, self.scheduler, self.witness, self.limits) = (ending, scheduler, witness, limits)
    self.known = known
  }

  /// Runs every order, or stops at a limit.
  ///
  /// Depth first: each run repeats the one before it up to the last choice with an alternative left,
  /// takes that alternative, and then runs jobs in the order of arrival.
  ///
  /// - Parameter observe: called before each order with its number, from 1.
  /// - Throws: ``TrialError`` when an order cannot be run, or when its choices differ in a second run.
  package func exploreAll(
    observe: (_ order: Int) -> Void = { _ in }
  ) throws(TrialError) -> Exploration {
    var tally = ExplorationTally()
    var next: [Chooser.Choice]? = []
    while let prefix = next, tally.orders < limits.orders {
      observe(tally.orders + 1)
      let (report, chooser) = try run(Chooser(Order(prefix.map(\.taken)), depth: limits.choices))
      tally.add(report, chooser)
      guard chooser.choices.map(\.count).starts(with: prefix.map(\.count)) else {
        throw TrialError(
          ending, step: 1, reason: "run again, the order replay:\(chooser.order) is another one")
      }
      // The choices up to the last one that has an alternative left, with that alternative.
      next = chooser.choices.lastIndex { $0.taken + 1 < $0.count }.map { last in
        changed(Array(chooser.choices[...last])) {
          $0[last] = Chooser.Choice(taken: $0[last].taken + 1, count: $0[last].count)
        }
      }
    }
    return try conclude(tally, isComplete: next == nil && !tally.isCut)
  }

  /// Runs random orders.
  ///
  /// - Parameters:
  ///   - seeds: one for each order; two seeds may lead to the same order.
  ///   - observe: called before each order with its seed.
  /// - Throws: ``TrialError`` when an order cannot be run.
  package func explore(
    seeds: ClosedRange<UInt64>, observe: (_ seed: UInt64) -> Void = { _ in }
  ) throws(TrialError) -> Exploration {
    var tally = ExplorationTally()
    for seed in seeds {
      observe(seed)
      let (report, chooser) = try run(Chooser(seed: seed, depth: limits.choices))
      tally.add(report, chooser)
    }
    return try conclude(tally, isComplete: false)
  }

  private func run(
    _ chooser: Chooser
  ) throws(TrialError) -> (result: TrialReport, chooser: Chooser) {
    try scheduler.choosing(by: chooser) { () throws(TrialError) in
      try Trial(of: ending, on: scheduler, witness: witness, detail: .holders).run()
    }
  }

  // Where all orders were run, the shortest is known. Otherwise the one that was found is shortened
  // for as long as its result is not as declared.
  private func conclude(
    _ tally: ExplorationTally, isComplete: Bool
  ) throws(TrialError) -> Exploration {
    var tally = tally
    let remark = try tally.shortestBreaking == nil ? nil : remark(on: tally)
    if !isComplete, let found = tally.shortestBreaking { try shorten(found, &tally) }
    return tally.exploration(of: ending, limits, isComplete: isComplete, remark: remark)
  }

  // All orders run in one process. What one of them leaves behind can change the result of the next,
  // and then the order of the jobs is not the cause.
  private func remark(on tally: ExplorationTally) throws(TrialError) -> String? {
    let known = known?.asExpected == true ? Order.arrival : nil
    guard let first = known ?? tally.firstAsExpected else { return nil }
    let again = try run(Chooser(first, depth: limits.choices)).result
    guard !again.asExpected else { return nil }
    return "the first order was as declared, and is not when it is run again: something outlives "
      + "an order, such as a static variable, which is made once. Keep it with AppWide.keep in each "
      + "order, or make it before the first ending"
  }

  private func shorten(_ order: Order, _ tally: inout ExplorationTally) throws(TrialError) {
    var order = order
    var isShorter = true
    while isShorter {
      isShorter = false
      for place in order.deviations.reversed() where place < order.choices.count {
        let candidate = order.withoutDeviation(at: place)
        let (report, chooser) = try run(Chooser(candidate, depth: limits.choices))
        guard !report.asExpected, chooser.order == candidate else { continue }
        (order, isShorter) = (candidate, true)
        tally.noteShorter(candidate, report)
      }
    }
  }
}

/// The results of an exploration so far.
struct ExplorationTally {
  private struct Group {
    let report: TrialReport
    var orders: Int
    var shortest: Order

    var counts: CheckCounts { CheckCounts(report) }
  }

  private var groups: [Group] = []
  private var seen: Set<Order> = []
  private var longest = 0
  /// Whether an order had more choices than the limit.
  private(set) var isCut = false

  /// How many different orders there were.
  var orders: Int { seen.count }

  /// The order that was run first, if its result was as declared.
  private(set) var firstAsExpected: Order?

  /// The shortest order whose result is not as declared; nil when there is none.
  var shortestBreaking: Order? {
    groups.filter { !$0.report.asExpected }.map(\.shortest).min { $0.isShorter(than: $1) }
  }

  /// Adds the result of an order, unless that order was added before.
  mutating func add(_ report: TrialReport, _ chooser: Chooser) {
    let order = chooser.order
    guard seen.insert(order).inserted else { return }
    if groups.isEmpty, report.asExpected { firstAsExpected = order }
    longest = max(longest, chooser.choices.count)
    isCut = isCut || chooser.isCut
    add(Group(report: report, orders: 1, shortest: order))
  }

  /// Adds the result of an order that was found by shortening another.
  ///
  /// - Parameters:
  ///   - order: the shorter order.
  ///   - report: its result.
  mutating func noteShorter(_ order: Order, _ report: TrialReport) {
    add(Group(report: report, orders: seen.insert(order).inserted ? 1 : 0, shortest: order))
  }

  private mutating func add(_ group: Group) {
    let same = groups.firstIndex {
      $0.counts == group.counts && $0.report.differences == group.report.differences
    }
    guard let index = same else { return groups.append(group) }
    groups[index].orders += group.orders
    if group.shortest.isShorter(than: groups[index].shortest) {
      groups[index].shortest = group.shortest
    }
  }

  /// The exploration to report.
  ///
  /// - Parameters:
  ///   - ending: what was run.
  ///   - limits: the limits that applied.
  ///   - isComplete: whether all orders were run.
  ///   - remark: what else is to be said, as a sentence.
  func exploration(
    of ending: Ending, _ limits: Exploration.Limits, isComplete: Bool, remark: String?
  ) -> Exploration {
    // Only after all orders were run is it certain that a declared result is missing.
    let missing = isComplete ? ending.expects.inOtherOrders.filter { !isFound($0) } : []
    return Exploration(
      ending: ending.name, orders: orders, choices: longest, isComplete: isComplete, limits: limits,
      outcomes: groups.sorted { $0.orders > $1.orders }.map { group in
        Exploration.Outcome(
          measured: group.counts, differences: group.report.differences, orders: group.orders,
          order: group.shortest.description)
      },
      missing: missing.map(CheckCounts.init),
      asExpected: missing.isEmpty && groups.allSatisfy(\.report.asExpected),
      breaking: shortestBreaking?.description, remark: remark)
  }

  private func isFound(_ declared: Declaration) -> Bool {
    groups.map(\.report).contains { report in
      var totals = Totals()
      (totals.objects, totals.tasks) = (report.objects, report.tasks)
      totals.metrics = report.metrics
      return declared.differences(from: totals, verdict: report.verdict).isEmpty
    }
  }
}
