/// What can be asked about a heap only while it is being read.
public struct HeapSurroundings {
  private let survey: Survey
  private let stacks: ThreadStacks?

  /// The surroundings of what a survey has found.
  ///
  /// - Parameter askers: the numbers of the threads that do nothing but ask.
  init(survey: Survey, askers: Set<Int>) {
    self.survey = survey
    stacks = ThreadStacks(among: survey.blocks, askers: askers, survey.segments)
  }

  /// Whether some other thread runs. What it has in a register may stand nowhere in memory.
  public var isBusy: Bool { stacks?.isBusy ?? true }

  /// Whether nothing that could still run has a way to some tasks and objects: no other task, no
  /// global variable, no thread's stack, no timer.
  ///
  /// Whoever wants to resume a task must come to its continuation, which is the task's address. So
  /// the search goes backwards from the tasks through everything that refers to them, weakly or
  /// not, and gives up when it meets something that is held from outside: a root, or an object
  /// with more strong references than were found. Doubt counts as a way in; what nothing leads to
  /// is lost for good. Not seen is a continuation that only a thread that runs has, in a register:
  /// look twice, some time apart, and once when none does (``isBusy``).
  ///
  /// - Parameters:
  ///   - tasks: unfinished tasks, all suspended.
  ///   - objects: where some objects are.
  ///   - waiting: where the task is that waits for the answer.
  ///   - observers: how many weak references to an object are the observer's own, by its address.
  public func areAbandoned(
    _ tasks: [HeapTask], objects: [UInt], waiting: UInt, observers: [UInt: Int]
  ) -> Bool {
    let blocks = tasks.compactMap(block) + objects.compactMap { survey.block(at: $0) }
    guard blocks.count > 0 || tasks.isEmpty, stacks?.mayUseRegisters == false else { return false }
    let search = WayInSearch(
      survey: survey, start: Set(blocks), waiting: survey.block(at: waiting) ?? -1,
      observers: observers, stacks: stacks)
    return !search.findsWayIn()
  }

  // The task of an `async let` lies in its parent's memory.
  private func block(of task: HeapTask) -> Int? {
    let block = survey.blocks.index(containing: task.address)
    return block < 0 ? nil : block
  }
}
