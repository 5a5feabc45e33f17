package import MemlabKit

/// What is to be measured of some endings, and on what.
package struct MeasurementRequest: Sendable {
  /// What is asked of each ending.
  package enum Question: Sendable {
    /// What both witnesses say in the end, with the steps where everything is asked for, or anything is
    /// not as declared; and what comes of other orders of the same jobs, where a plan names some.
    case result(HeapDetail, SchedulePlan? = nil)
    /// What both witnesses say after each step; and whether each variable that holds an object has to
    /// have a name.
    case everyStep(requiresNames: Bool = false)
  }

  /// What is asked of each ending.
  let question: Question
  /// What runs the tasks.
  private(set) var scheduler = SchedulerName.default
  /// Refuse to run if the heap cannot be read.
  private(set) var refusesWithoutHeap = false
  /// Run each ending on demand; the reader may stop early.
  private(set) var runsOnDemand = false
  /// Measure each ending in a copy of the process of its own.
  private(set) var isApart = false

  /// A question for what a command line names.
  package init(_ question: Question, _ invocation: Invocation, onDemand: Bool = false) {
    (self.question, scheduler, runsOnDemand) = (question, invocation.scheduler, onDemand)
    refusesWithoutHeap = invocation.flag("require-heap")
  }

  /// A question for the default scheduler.
  package init(_ question: Question, onDemand: Bool, refusesWithoutHeap: Bool = false) {
    (self.question, runsOnDemand) = (question, onDemand)
    self.refusesWithoutHeap = refusesWithoutHeap
  }

  /// A question about endings that may leave anything behind, also in variables of the program.
  package init(ofUndeclared question: Question) {
    (self.question, refusesWithoutHeap, isApart) = (question, true, true)
  }

  /// How much is asked of the heap in the end.
  var detail: HeapDetail {
    if case .result(let detail, _) = question { detail } else { .everything }
  }
}

/// How endings are grouped that one copy of this process measures, one after the other.
///
/// A copy costs two milliseconds, more than most endings. So where little is asked of each ending and
/// there are many scenarios, neighbours share a copy. In a report, and where many orders are run, each
/// scenario has its own.
struct EndingGroups {
  /// The places of the endings that share a copy.
  let places: [Range<Int>]

  /// The groups of some endings.
  init(of items: [CheckSelection.Item], for request: MeasurementRequest) {
    let scenarios = Array(items.indices).inGroups { group in
      items[group[0]].scenario.id == items[group[group.count - 1]].scenario.id
    }.map { $0[0]..<($0[0] + $0.count) }
    switch request.question {
    // A variable of the program that an earlier ending has set would hold what nobody recorded.
    case _ where request.isApart, .everyStep: places = items.indices.map { $0..<($0 + 1) }
    case .result(.holders, nil): places = Self.joined(scenarios)
    case .result: places = scenarios
    }
  }

  // A check of a few scenarios has room for a copy each. For many, one for each processor is fastest; the
  // later a lesson, the longer its scenarios take.
  private static func joined(_ scenarios: [Range<Int>]) -> [Range<Int>] {
    let (all, width) = (scenarios.count, Isolation.width)
    guard all > 4 * width else { return scenarios }
    let ends = (0...width).reversed().map { rest in all - all * rest * rest / (width * width) }
    return zip(ends, ends.dropFirst()).filter { $0 < $1 }.map { start, end in
      scenarios[start].lowerBound..<scenarios[end - 1].upperBound
    }
  }
}

extension Array {
  /// The elements in groups, each as large as it may be, and of one element at least.
  package func inGroups(while fits: ([Element]) -> Bool) -> [[Element]] {
    reduce(into: []) { groups, element in
      let joined = (groups.last ?? []) + [element]
      let isJoined = !groups.isEmpty && fits(joined)
      if isJoined { groups.removeLast() }
      groups.append(isJoined ? joined : [element])
    }
  }
}
