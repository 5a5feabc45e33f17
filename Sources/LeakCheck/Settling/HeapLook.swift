internal import CLeakCheckStart
internal import HeapGraph
internal import Synchronization

/// What the heap says about a check's tasks and objects at one moment.
struct HeapLook {
  /// The heap.
  let snapshot: HeapSnapshot
  /// The tasks of the check that have not ended.
  let tasks: [HeapTask]
  /// The addresses of other checks' tasks.
  let strangers: Set<UInt>
  /// Whether nothing can resume the tasks or release the objects any more.
  let isFinal: Bool
  /// Whether one of the tasks runs, or will run as soon as a thread is free.
  var isMoving: Bool { !tasks.allSatisfy(\.isAtRest) }

  /// Reads the heap, then ends the turn.
  ///
  /// - Throws: ``UnreadHeap`` if the heap is not recorded, or its layout is not the known one.
  @HeapReadTurn static func take(at scope: LeakScope) async throws(UnreadHeap) -> HeapLook {
    let start = ContinuousClock.now
    defer { HeapReadTurn.end(after: ContinuousClock.now - start) }
    if let reason = await HeapTrust.reasonToDoubt { throw UnreadHeap(reason: reason) }
    do {
      // The addresses stored here would look like references.
      return try HeapRecording.withoutRecording {
        try read(scope, waiting: HeapTask.current?.address ?? 0)
      }
    } catch {
      throw UnreadHeap(reason: "\(error)")
    }
  }

  private static func read(_ scope: LeakScope, waiting: UInt) throws -> HeapLook {
    let objects = scope.survivors.map(\.address)
    let tokens = scope.tokenAddresses
    let observers = Dictionary((objects + tokens).map { ($0, 1) }, uniquingKeysWith: +)
    let (snapshot, (tasks, strangers, isFinal)) = try HeapSnapshot.take(
      skippingFramesOf: ["LeakCheck"]
    ) { snapshot, surroundings in
      let tasks = scope.unfinished(in: snapshot, tokens: tokens, except: waiting)
      let isAtRest = tasks.allSatisfy(\.isAtRest) && (tokens.isEmpty || !tasks.isEmpty)
      // Blocks that are older than the recording could lead to anything.
      let isFinal =
        leak_check_records_everything() && isAtRest && !tasks.contains(where: \.isSleeping)
        && surroundings.areAbandoned(
          tasks, objects: objects, waiting: waiting, observers: observers)
      let strangers = snapshot.tasks(withOtherLocalsThan: tokens, of: (ScopeToken?).self)
      return (tasks, strangers, isFinal)
    }
    return HeapLook(snapshot: snapshot, tasks: tasks, strangers: strangers, isFinal: isFinal)
  }
}

/// Reads the heap: one check at a time, and not on the actor that the test runs on.
@globalActor package actor HeapReadTurn {
  /// The only one of the process.
  package static let shared = HeapReadTurn()
  private static let isTaken = Atomic(false)
  private static let nanoseconds = Atomic<Int64>(0)
  private static let looks = Atomic(0)

  /// How often the heap was read in this process.
  package static var count: Int { looks.load(ordering: .relaxed) }

  /// How long the last reading took in this process.
  static var latestDuration: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }

  /// Takes the turn unless another check has it. There is no queue: a check that waits may find
  /// that it needs no turn any more.
  ///
  /// - Returns: whether the turn was taken. If so, the caller must read the heap, which ends the
  ///   turn.
  static func begin() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  /// Ends the turn, and records how long it took.
  static func end(after duration: Duration) {
    looks.add(1, ordering: .relaxed)
    nanoseconds.store(Int64(duration / .nanoseconds(1)), ordering: .relaxed)
    isTaken.store(false, ordering: .releasing)
  }
}

/// Why the heap was not read.
struct UnreadHeap: Error {
  /// The reason, as a sentence.
  let reason: String
}

extension HeapTask {
  /// Whether the task runs code of the test; the library has its own tasks, for timers.
  fileprivate var isSomebodys: Bool {
    if isChild || isEnqueued || isRunning { return true }
    let trace = pointer.flatMap { AsyncBacktrace(ofTask: $0, hiding: ["LeakCheck"]) }
    return trace?.frames.contains { !$0.isLibrary } == true
  }

  /// Whether the task waits for something other than its turn. `Task.yield` suspends a task, and
  /// the turn of another job resumes it.
  fileprivate var isAtRest: Bool { isSuspended && !waits(in: "Task.yield()") }

  /// Whether a timer will resume the task. What a timer holds cannot always be followed.
  fileprivate var isSleeping: Bool { waits(in: "Task.sleep") }

  private func waits(in function: String) -> Bool {
    pointer.flatMap { AsyncBacktrace(ofTask: $0) }?.suspendedIn == function
  }
}

extension LeakScope {
  /// The tasks that the check judges and that have not ended.
  fileprivate func unfinished(
    in snapshot: HeapSnapshot, tokens: [UInt], except waiting: UInt
  ) -> [HeapTask] {
    switch tasks {
    case .none: []
    case .ofTheBody:
      snapshot.tasks(withLocal: tokens, of: (ScopeToken?).self, except: waiting)
    case .allAfter(let id):
      snapshot.tasks(createdAfter: id, except: waiting).filter(\.isSomebodys)
    }
  }
}
