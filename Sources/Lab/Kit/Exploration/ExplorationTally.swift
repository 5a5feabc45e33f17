/// The results of an exploration so far.
struct ExplorationTally {
  private struct Group {
    let report: TrialReport
    var orders: Int
    var shortest: Order

    func isSame(as other: TrialReport) -> Bool {
      report.verdict == other.verdict && report.objects == other.objects
        && report.tasks == other.tasks && report.metrics == other.metrics
        && report.differences == other.differences
    }
  }

  private var groups: [Group] = []
  private var first: (order: Order, asExpected: Bool)?
  private var seen: Set<Order> = []
  private var longest = 0
  /// Whether an order had more choices than the limit.
  private(set) var isCut = false

  /// How many different orders there were.
  var orders: Int { seen.count }

  /// The order that was run first, if its result was as declared.
  var firstAsExpected: Order? { first.flatMap { $0.asExpected ? $0.order : nil } }

  /// The shortest order whose result is not as declared; nil when there is none.
  var shortestBreaking: Order? {
    groups.filter { !$0.report.asExpected }.map(\.shortest).min { $0.isShorter(than: $1) }
  }

  /// Adds the result of an order, unless that order was added before.
  mutating func add(_ report: TrialReport, _ chooser: Chooser) {
    let order = chooser.order
    guard seen.insert(order).inserted else { return }
    first = first ?? (order, report.asExpected)
    longest = max(longest, chooser.choices.count)
    isCut = isCut || chooser.isCut
    add(Group(report: report, orders: 1, shortest: order))
  }

  /// Adds the result of an order that was found by shortening another.
  ///
  /// - Parameters:
  ///   - order: the shorter order.
  ///   - tally: its result.
  mutating func noteShorter(_ order: Order, from tally: ExplorationTally) {
    let isNew = seen.insert(order).inserted
    for group in tally.groups {
      add(Group(report: group.report, orders: isNew ? 1 : 0, shortest: order))
    }
  }

  private mutating func add(_ group: Group) {
    guard let index = groups.firstIndex(where: { $0.isSame(as: group.report) }) else {
      groups.append(group)
      return
    }
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
      ending: ending.name, orders: orders, choices: longest, isComplete: isComplete,
      limits: limits,
      outcomes: groups.sorted { $0.orders > $1.orders }.map { group in
        Exploration.Outcome(
          measured: CheckCounts(group.report), differences: group.report.differences,
          orders: group.orders, order: group.shortest.description)
      },
      missing: missing.map(CheckCounts.init),
      asExpected: missing.isEmpty && groups.allSatisfy(\.report.asExpected),
      breaking: shortestBreaking?.description, remark: remark)
  }

  private func isFound(_ declared: Declaration) -> Bool {
    groups.contains {
      declared.differences(from: $0.report.totals, verdict: $0.report.verdict).isEmpty
    }
  }
}

extension TrialReport {
  fileprivate var totals: Totals {
    Totals(objects: objects, tasks: tasks, notes: [], metrics: metrics)
  }
}
