internal import CLeakCheckStart
internal import HeapGraph

/// What the heap says of a check's tasks and objects at one moment.
struct HeapLook {
  /// The heap.
  let snapshot: HeapSnapshot
  /// The tasks of the check that have not ended.
  let tasks: [HeapTask]
  /// Whether nothing can resume the tasks or let go of the objects any more.
  let abandonment: Abandonment
  /// Whether one of the tasks runs, or will as soon as there is a thread for it.
  var isMoving: Bool { !tasks.allSatisfy(\.isSuspended) }

  /// Takes a look.
  ///
  /// - Throws: ``HeapUnreadable`` when the heap is not recorded, or not as it is known.
  static func take(at scope: LeakScope) async throws(HeapUnreadable) -> HeapLook {
    if let reason = await HeapTrust.reasonToDoubt { throw HeapUnreadable(reason: reason) }
    do {
      // The addresses noted here would be taken for references.
      return try HeapRecording.withoutRecording {
        try read(scope, waiting: HeapTask.current?.address ?? 0)
      }
    } catch {
      throw HeapUnreadable(reason: "\(error)")
    }
  }

  private static func read(_ scope: LeakScope, waiting: UInt) throws -> HeapLook {
    let objects = scope.survivors.map(\.address)
    let token = scope.tokenAddress
    var observers = Dictionary(objects.map { ($0, 1) }, uniquingKeysWith: +)
    if let token { observers[token, default: 0] += 1 }
    let (snapshot, (tasks, abandonment)) = try HeapSnapshot.take { snapshot, surroundings in
      let tasks = scope.unfinished(in: snapshot, token: token, except: waiting)
      let isAtRest = tasks.allSatisfy(\.isSuspended) && (token == nil || !tasks.isEmpty)
      guard isAtRest, !tasks.contains(where: \.isSleeping) else { return (tasks, Abandonment.no) }
      return (
        tasks,
        surroundings.areAbandoned(tasks, objects: objects, waiting: waiting, observers: observers)
      )
    }
    return HeapLook(snapshot: snapshot, tasks: tasks, abandonment: abandonment)
  }
}

/// Why the heap was not read.
struct HeapUnreadable: Error {
  let reason: String
}

extension HeapTask {
  /// Whether the task runs somebody's code: the library has tasks of its own, for timers.
  fileprivate var isSomebodys: Bool {
    if isChild || isEnqueued || isRunning { return true }
    let trace = pointer.flatMap { AsyncBacktrace(ofTask: $0, hiding: ["LeakCheck"]) }
    return trace?.frames.contains { !$0.isLibrary } == true
  }

  /// Whether a timer will resume the task. What a timer keeps cannot always be followed.
  fileprivate var isSleeping: Bool {
    pointer.flatMap { AsyncBacktrace(ofTask: $0) }?.suspendedIn == "Task.sleep"
  }
}

extension LeakScope {
  /// The tasks that the check judges and that have not ended.
  fileprivate func unfinished(
    in snapshot: HeapSnapshot, token: UInt?, except waiting: UInt
  ) -> [HeapTask] {
    switch tasks {
    case .none: []
    case .ofTheBody:
      token.map { snapshot.tasks(referringTo: $0, except: waiting) } ?? []
    case .allAfter(let id):
      snapshot.tasks(createdAfter: id, except: waiting).filter(\.isSomebodys)
    }
  }
}
