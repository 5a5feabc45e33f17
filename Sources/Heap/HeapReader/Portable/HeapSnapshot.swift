package import MemlabHeapModel

// Where the heap is not read: what the rooms above ask a snapshot for. There is no snapshot, as the
// compiler knows: each of these types has a property whose type has no values.

/// The heap at one moment, on Linux; here nobody can take a snapshot.
package struct HeapSnapshot: Sendable {
  private let none: Never

  /// Does not read the heap.
  ///
  /// - Throws: ``HeapError/unrecordable(_:)`` always.
  package static func take(
    scanningStack: Bool = false, tracing: HeapTracing = .everything,
    variables: [UInt: String] = [:]
  ) throws -> HeapSnapshot { throw HeapError.unread }

  /// Does not read the heap.
  ///
  /// - Throws: ``HeapError/unrecordable(_:)`` always.
  package static func take<Result>(
    skippingFramesOf modules: Set<String> = [], after glimpse: inout TaskGlimpse,
    reading read: (HeapSnapshot, HeapSurroundings) -> Result
  ) throws -> (HeapSnapshot, Result) { throw HeapError.unread }

  /// How many blocks there are.
  package var blocks: Int { switch none {} }
  /// How many instances of each class are live.
  package var liveInstances: [String: Int] { switch none {} }
  /// The tasks on the heap.
  package var tasks: [HeapTask] { switch none {} }
  /// How many cycles there are.
  package var cycleCount: Int { switch none {} }
  /// What global variables lead to.
  package var reachOfGlobals: GlobalReach { switch none {} }

  /// Why instances are alive.
  package func retainChains(
    to types: Set<String>, namingFunctions: Bool = true
  ) -> [RetainChain] { switch none {} }

  /// Everything that holds some instances.
  package func holderMap(
    of types: Set<String>, hiding isGlue: @escaping (HeapNode) -> Bool = { _ in false }
  ) -> HolderMap { switch none {} }
  /// What a leak costs.
  package func cost(of types: Set<String>, tasks: Set<String> = []) -> HeapCost { switch none {} }
  /// The threads that refer to some objects.
  package func threads(referringTo objects: [AnyObject]) -> [String?] { switch none {} }
  /// The recorder's number of an object.
  package func serial(of object: AnyObject) -> UInt64? { switch none {} }
  /// Rings of objects that are new.
  package func rings(since begin: HeapMoment, outside modules: Set<String>) -> [UInt] {
    switch none {}
  }
  /// The task-local variables that keep objects.
  package func taskLocals(of tasks: [HeapTask]) -> [String: String] { switch none {} }
  /// The tasks on the heap.
  package func tasks(since begin: HeapMoment, besides strangers: Set<UInt>) -> [HeapTask] {
    switch none {}
  }
  /// The tasks on the heap.
  package func tasks(createdAfter id: UInt64, except bystander: UInt) -> [HeapTask] {
    switch none {}
  }
  /// The tasks on the heap.
  package func tasks(
    withLocal objects: [UInt], of type: Any.Type, except bystander: UInt
  ) -> [HeapTask] { switch none {} }
  /// The tasks on the heap.
  package func tasks(withOtherLocalsThan objects: [UInt], of type: Any.Type) -> Set<UInt> {
    switch none {}
  }
  /// Why objects are alive, as one of several users of the process sees it.
  package func ways(since begin: HeapMoment?, besides strangers: Set<UInt>) -> HeapWays {
    switch none {}
  }
}

/// The tasks of a check as they were when the heap was listed, on Linux; here none is seen.
package struct TaskGlimpse: Sendable {
  /// A glimpse of no task.
  package init(withLocal objects: [UInt], of type: Any.Type, except bystander: UInt) {}

  /// Where no task waited.
  package func traces(hiding modules: Set<String>) -> [TaskTrace] { [] }
}

/// What surrounds a snapshot, on Linux.
package struct HeapSurroundings {
  private let none: Never

  /// Whether something leads to some tasks and objects.
  package func ways(
    to tasks: [HeapTask], objects: [UInt], waiting: UInt, observers: [UInt: Int]
  ) -> WaysIn { switch none {} }
  /// Those of some objects that nothing leads to.
  package func abandonedObjects(
    at addresses: [UInt], waiting: UInt, hasPatience: Bool
  ) -> (objects: [AnyObject], mayBeMore: Bool) { switch none {} }
  /// What may still run.
  package func workPending(since begin: HeapMoment, firingWithin time: Duration) -> PendingWork? {
    switch none {}
  }
}

/// Why objects are alive, on Linux.
package struct HeapWays: Sendable {
  private let none: Never

  /// Why one object is alive.
  package func retainChain(to object: AnyObject) -> RetainChain? { switch none {} }
}

/// What global variables lead to, on Linux.
package struct GlobalReach: Sendable {
  private let none: Never

  /// Whether a global variable leads to an object.
  package func leads(to object: AnyObject) -> Bool { switch none {} }
  /// Whether an object is the value of a global variable.
  package func isValue(_ object: AnyObject) -> Bool { switch none {} }
  /// Whether an object is part of the program.
  package func isConstant(_ object: AnyObject) -> Bool { switch none {} }
}

/// What a leak costs, on Linux.
package struct HeapCost: Sendable, Hashable {
  private let none: Never

  /// How many blocks there are.
  package var blocks: Int { switch none {} }
  /// Their size together.
  package var bytes: Int { switch none {} }
}

extension HeapError {
  /// Why there is no snapshot here.
  static var unread: HeapError { .unrecordable(HeapRecording.obstacle ?? "") }
}
