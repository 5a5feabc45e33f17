/// What can be asked about a heap only while it is being read.
public struct HeapSurroundings {
  private let survey: Survey
  private let askers: Set<Int>

  /// The surroundings of what a survey has found.
  ///
  /// - Parameter askers: the numbers of the threads that do nothing but ask.
  init(survey: Survey, askers: Set<Int>) {
    self.survey = survey
    self.askers = askers
  }

  /// Whether nothing that could still run has a way to some tasks and objects: no other task, no
  /// global variable, no thread's stack, no timer.
  ///
  /// Whoever wants to resume a task must come to its continuation, which is the task's address. So
  /// the search goes backwards from the tasks through everything that refers to them, weakly or
  /// not, and gives up when it meets something that is held from outside: a root, or an object
  /// with more strong references than were found. Doubt counts as a way in; what nothing leads to
  /// is lost for good. Not seen is a continuation that only a thread that runs has, in a register:
  /// look twice, some time apart, and once when none does.
  ///
  /// - Parameters:
  ///   - tasks: unfinished tasks, all suspended.
  ///   - objects: where some objects are.
  ///   - waiting: where the task is that waits for the answer.
  ///   - observers: how many weak references to an object are the observer's own, by its address.
  public func areAbandoned(
    _ tasks: [HeapTask], objects: [UInt], waiting: UInt, observers: [UInt: Int]
  ) -> Abandonment {
    let blocks = tasks.compactMap(block) + objects.compactMap { survey.block(at: $0) }
    let stacks = ThreadStacks(among: survey.blocks, askers: askers, survey.segments)
    guard blocks.count > 0 || tasks.isEmpty, let stacks, !stacks.mayUseRegisters else { return .no }
    let search = WayInSearch(
      survey: survey, start: Set(blocks), waiting: survey.block(at: waiting) ?? -1,
      observers: observers, stacks: stacks)
    return search.findsWayIn() ? .no : stacks.isBusy ? .unlessInRegister : .yes
  }

  // The task of an `async let` lies in its parent's memory.
  private func block(of task: HeapTask) -> Int? {
    let block = survey.blocks.index(containing: task.address)
    return block < 0 ? nil : block
  }
}

/// Whether nothing that could still run has a way to some tasks and objects.
public enum Abandonment: Sendable {
  /// Something has one, or may have.
  case no
  /// Nothing in memory has one, but a thread runs, which may have one in a register.
  case unlessInRegister
  /// Nothing has one.
  case yes
}
