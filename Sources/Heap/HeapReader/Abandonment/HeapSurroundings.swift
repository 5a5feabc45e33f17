package import MemlabHeapModel
import MemlabRuntimeABI

/// What can be asked about a heap only while it is being read.
package struct HeapSurroundings {
  /// What was found.
  let survey: Survey

  /// Whether something that could still run has a way to some tasks and objects: another task, a
  /// global variable, a thread's stack, a timer, a table of the kernel's.
  ///
  /// To resume a task, code must get to its continuation, which is the task's address. So the
  /// search goes backwards from the tasks through everything that refers to them, weakly or
  /// not, and gives up when it meets something that is held from outside: a root, or an object
  /// with more strong references than were found. Doubt counts as a way in; what nothing leads to
  /// is lost for good. What a thread knows that runs while this is asked is unclear. The heap
  /// changes while it is read, so look twice.
  ///
  /// - Parameters:
  ///   - tasks: unfinished tasks, all suspended.
  ///   - objects: where some objects are.
  ///   - waiting: where the task is that waits for the answer.
  ///   - observers: how many weak references to an object are the observer's own, by its address.
  package func ways(
    to tasks: [HeapTask], objects: [UInt], waiting: UInt, observers: [UInt: Int]
  ) -> WaysIn {
    ways(
      on: WayInSearch.Ground(survey), to: tasks, objects: objects, waiting: waiting,
      observers: observers)
  }

  /// The same, for one of several questions about the same heap.
  func ways(
    on ground: WayInSearch.Ground, to tasks: [HeapTask], objects: [UInt], waiting: UInt,
    observers: [UInt: Int]
  ) -> WaysIn {
    let blocks = tasks.compactMap(block) + objects.compactMap { survey.block(at: $0) }
    // What is not on the recorded heap cannot be looked for.
    guard blocks.count == tasks.count + objects.count else { return .found }
    let search = WayInSearch(
      survey: survey, ground: ground, start: Set(blocks),
      waiting: survey.block(at: waiting) ?? -1, observers: observers)
    guard let surroundings = search.blocksWithoutWayIn() else { return .found }
    let known = EventTables.words().map {
      survey.blocks.index(containing: $0 & abi.reference.addressBits)
    }
    guard !known.contains(where: surroundings.contains) else { return .found }
    return ThreadStacks(searching: surroundings, in: survey).waysIn()
  }

  // The task of an `async let` lies in its parent's memory.
  private func block(of task: HeapTask) -> Int? {
    let block = survey.blocks.index(containing: task.address)
    return block < 0 ? nil : block
  }
}
