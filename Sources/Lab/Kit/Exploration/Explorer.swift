/// Runs an ending in many orders of the same jobs, each measured by both witnesses.
package struct Explorer: Sendable {
  private let ending: Ending
  private let scheduler: VirtualScheduler
  private let witness: HeapWitness?
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
    of ending: Ending, on scheduler: VirtualScheduler, witness: HeapWitness?,
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
      let chooser = try run(Chooser(Order(exactly: prefix), depth: limits.choices), &tally)
      guard chooser.choices.map(\.count).starts(with: prefix.map(\.count)) else {
        throw irreproducible(chooser.order)
      }
      next = Self.alternative(to: chooser.choices)
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
      try run(Chooser(seed: seed, depth: limits.choices), &tally)
    }
    return try conclude(tally, isComplete: false)
  }

  /// The choices up to the last one that has an alternative left, with that alternative.
  private static func alternative(to choices: [Chooser.Choice]) -> [Chooser.Choice]? {
    guard let last = choices.lastIndex(where: { $0.taken + 1 < $0.count }) else { return nil }
    let changed = Chooser.Choice(taken: choices[last].taken + 1, count: choices[last].count)
    return choices[..<last] + [changed]
  }

  @discardableResult
  private func run(
    _ chooser: Chooser, _ tally: inout ExplorationTally
  ) throws(TrialError) -> Chooser {
    let (report, chooser) = try scheduler.choosing(by: chooser) { () throws(TrialError) in
      try Trial(of: ending, on: scheduler, witness: witness, detail: .holders).run()
    }
    tally.add(report, chooser)
    return chooser
  }

  // Where all orders were run, the shortest is known. Otherwise the one that was found is shortened
  // for as long as its result is not as declared.
  private func conclude(
    _ tally: ExplorationTally, isComplete: Bool
  ) throws(TrialError) -> Exploration {
    let remark = try tally.shortestBreaking == nil ? nil : remark(on: tally)
    guard !isComplete, let found = tally.shortestBreaking else {
      return tally.exploration(of: ending, limits, isComplete: isComplete, remark: remark)
    }
    var tally = tally
    try shorten(found, &tally)
    return tally.exploration(of: ending, limits, isComplete: isComplete, remark: remark)
  }

  // All orders run in one process. What one of them leaves behind can change the result of the next,
  // and then the order of the jobs is not the cause.
  private func remark(on tally: ExplorationTally) throws(TrialError) -> String? {
    let known = known?.asExpected == true ? Order.arrival : nil
    guard let first = known ?? tally.firstAsExpected else { return nil }
    var again = ExplorationTally()
    try run(Chooser(first, depth: limits.choices), &again)
    guard again.shortestBreaking != nil else { return nil }
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
        var trial = ExplorationTally()
        try run(Chooser(candidate, depth: limits.choices), &trial)
        guard let broken = trial.shortestBreaking, broken == candidate else { continue }
        (order, isShorter) = (candidate, true)
        tally.noteShorter(candidate, from: trial)
      }
    }
  }

  private func irreproducible(_ order: Order) -> TrialError {
    TrialError(
      ending, step: 1, reason: "run again, the order replay:\(order) is another one")
  }
}

extension Order {
  /// The order of these choices.
  fileprivate init(exactly choices: [Chooser.Choice]) { self.init(choices.map(\.taken)) }
}
