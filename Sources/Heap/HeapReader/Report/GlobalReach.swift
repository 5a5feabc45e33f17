import MemlabHeapModel

/// What global variables lead to, whether or not anything else leads to it too.
///
/// A ``RetainChain`` is the shortest one: for an object that a task uses and a global variable keeps,
/// it begins at the task.
package struct GlobalReach: Sendable {
  private let survey: Survey
  private let isReached: [Bool]
  private let values: Set<Int>

  fileprivate init(survey: Survey) {
    let values = survey.roots.filter(\.place.isVariable).map(\.block)
    self.survey = survey
    self.values = Set(values)
    isReached = survey.reached(from: values)
  }

  /// Whether a variable leads to an object.
  package func leads(to object: AnyObject) -> Bool {
    survey.block(of: object).map { isReached[$0] } ?? false
  }

  /// Whether an object is a variable's value itself.
  package func isValue(_ object: AnyObject) -> Bool {
    survey.block(of: object).map(values.contains) ?? false
  }

  /// Whether an object is no memory that was allocated, but part of the program or of a library.
  package func isConstant(_ object: AnyObject) -> Bool {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    return survey.segments.segment(at: address) != nil
  }
}

extension HeapSnapshot {
  /// What global variables lead to. Takes a walk through the heap.
  package var reachOfGlobals: GlobalReach { GlobalReach(survey: survey) }
}

extension FoundRoot.Place {
  /// Whether it is a word of a global variable.
  var isVariable: Bool { if case .global = self { true } else { false } }
}
