import CMemlabStart
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform
import Synchronization

#if !MEMLAB_PORTABLE
  import MemlabAbandonment
#endif

/// What the heap says about a check's tasks and objects at one moment.
struct HeapLook {
  /// The heap.
  let snapshot: HeapSnapshot
  /// The tasks of the check that have not ended.
  let tasks: [HeapTask]
  /// Where each of them is; empty when none of them can go on. Of tasks that ended before their
  /// memory was read, where they were last seen.
  var traces: [TaskTrace]
  /// The task-local variables by whose values the tasks keep objects, by the qualified names of their
  /// classes.
  let taskLocals: [String: String]
  /// Where the tasks of other checks are.
  let othersTasks: Set<UInt>
  /// Whether nothing can resume the tasks or release the objects any more.
  let isFinal: Bool
  /// What the check has begun and may still run; nil when there is nothing, or when it was not
  /// asked because tasks are left.
  let pending: PendingWork?
  /// Whether nothing that the check has begun may still run, though something may lead to what is
  /// left: a global variable, or what looks like a reference.
  let isIdle: Bool
  /// Whether a task of the check has not ended and none was found: one is about to begin or to end.
  let isBetweenTasks: Bool
  /// Whether one of the tasks runs, or will as soon as there is a thread for it.
  var isMoving: Bool { isBetweenTasks || !tasks.allSatisfy(\.isAtRest) }

  /// Reads the heap, then ends the turn.
  ///
  /// - Parameter limit: how long the check waits; timers that fire later end nothing in time.
  /// - Returns: a failure when the heap is not recorded, or not as it is known.
  @HeapReadTurn static func take(
    at scope: LeakScope, within limit: Duration
  ) async -> Result<HeapLook, UnreadHeap> {
    let start = ContinuousClock.now
    defer { HeapReadTurn.end(after: ContinuousClock.now - start) }
    if let reason = await HeapTrust.reasonToDoubt { return .failure(UnreadHeap(reason: reason)) }
    do {
      var found: [AnyObject] = []
      // The addresses stored here would look like references.
      let look = try HeapRecording.withoutRecording {
        try read(scope, within: limit, ownTask: HeapTask.current?.address ?? 0, &found)
      }
      for object in found { scope.watchFound(object) }
      return .success(look)
    } catch {
      return .failure(UnreadHeap(reason: "\(error)"))
    }
  }

  // `ownTask` is the address of the task that reads, which has the check's token, too.
  private static func read(
    _ scope: LeakScope, within limit: Duration, ownTask: UInt, _ found: inout [AnyObject]
  ) throws -> HeapLook {
    #if MEMLAB_PORTABLE
      throw HeapError.unread
    #else
      let objects = scope.survivors.map(\.address)
      let tokens = scope.tokenAddresses
      let observers = Dictionary((objects + tokens).map { ($0, 1) }, uniquingKeysWith: +)
      var glimpse = TasksWhenListed(withLocal: tokens, of: (ScopeToken?).self, except: ownTask)
      var look = try HeapSnapshot.take(skippingFramesOf: OwnModules.names, after: &glimpse) {
        snapshot, surroundings in
        let tasks = scope.unfinished(in: snapshot, tokens: tokens, except: ownTask)
        found = scope.newRings(in: snapshot, surroundings, besides: objects, ownTask: ownTask)
        let isBetweenTasks = !tokens.isEmpty && tasks.isEmpty && scope.hasUnfinishedTasks
        let isAtRest = tasks.allSatisfy(\.isAtRest) && (tokens.isEmpty || !tasks.isEmpty)
        // Blocks that are older than the recording could lead to anything.
        let isWhole =
          leak_check_records_everything() && found.isEmpty && !scope.needsToSeeRingsAgain
        let isFinal =
          isWhole && isAtRest && !tasks.contains(where: \.isSleeping)
          && surroundings.incomingPaths(
            to: tasks, objects: objects, waiting: ownTask, observers: observers) == .none
        let othersTasks = snapshot.tasks(withOtherLocalsThan: tokens, of: (ScopeToken?).self)
        let mayBeIdle = isWhole && tasks.isEmpty && tokens.isEmpty && !isFinal
        let pending =
          mayBeIdle
          ? scope.pending(
            in: snapshot, surroundings, besides: othersTasks.union([ownTask]), within: limit) : nil
        return HeapLook(
          snapshot: snapshot, tasks: tasks,
          traces: isFinal ? [] : tasks.map { TaskTrace($0, among: []) },
          taskLocals: objects.isEmpty ? [:] : snapshot.taskLocals(of: tasks),
          othersTasks: othersTasks, isFinal: isFinal, pending: pending,
          isIdle: mayBeIdle && pending == nil, isBetweenTasks: isBetweenTasks)
      }.1
      // The frames of a task that has gone on meanwhile are gone, each with its block.
      if !look.isFinal, look.traces.allSatisfy({ $0.origin == nil }) {
        let earlier = glimpse.traces(hiding: OwnModules.names)
        let hasOrigin = earlier.contains { $0.origin != nil }
        if look.tasks.isEmpty || hasOrigin { look.traces = earlier }
      }
      return look
    #endif
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

  /// What is said of a test that only the heap can judge.
  var unjudged: String {
    "not known what this test leaves behind, because the heap was not read: \(reason)"
  }
}

extension HeapTask {
  /// Whether the task waits for something other than its turn. `Task.yield` suspends a task, and
  /// the turn of another job resumes it.
  fileprivate var isAtRest: Bool { isSuspended && !isYielding }
}

extension LeakScope {
  fileprivate func watchFound(_ object: AnyObject) {
    if let placeOfRings { watch(object, at: placeOfRings, as: .found) }
  }
}

#if !MEMLAB_PORTABLE
  extension HeapTask {
    /// Whether the task runs code of a test; the library has its own tasks, for timers.
    fileprivate var runsTestCode: Bool {
      if isChild || isEnqueued || isRunning { return true }
      let trace = pointer.flatMap { AsyncBacktrace(ofTask: $0, hiding: OwnModules.names) }
      return trace?.frames.contains { !$0.isLibrary } == true
    }

    /// Whether a timer will resume the task. What a timer holds cannot always be followed.
    fileprivate var isSleeping: Bool {
      pointer.flatMap { AsyncBacktrace(ofTask: $0) }?.suspendedIn == "Task.sleep"
    }
  }

  extension LeakScope {
    // Objects in rings that a whole test has left behind, where those are looked for. One look is not
    // enough: what only a running thread refers to looks like a ring.
    fileprivate func newRings(
      in snapshot: HeapSnapshot, _ surroundings: HeapSurroundings, besides objects: [UInt],
      ownTask: UInt
    ) -> [AnyObject] {
      guard placeOfRings != nil, let beginning else { return [] }
      let known = Set(objects)
      let rings = snapshot.rings(since: beginning, outside: SystemTypes.ofLibraries)
        .filter { !known.contains($0) }
      let (objects, mayBeMore) = surroundings.abandonedObjects(
        at: ringsSeenBefore(among: rings), waiting: ownTask, hasPatience: willSeeRingsAgain)
      noteRings(rings, areUnclear: mayBeMore)
      return objects
    }

    /// What may still run of what was begun since the body did.
    fileprivate func pending(
      in snapshot: HeapSnapshot, _ surroundings: HeapSurroundings, besides others: Set<UInt>,
      within limit: Duration
    ) -> PendingWork? {
      guard let beginning else { return .task(nil) }
      let tasks = snapshot.tasks(since: beginning, besides: others)
      if let task = tasks.first(where: \.runsTestCode) { return .task(task.name) }
      return surroundings.workPending(since: beginning, firingWithin: limit)
    }

    /// The tasks that the check judges and that have not ended.
    fileprivate func unfinished(
      in snapshot: HeapSnapshot, tokens: [UInt], except ownTask: UInt
    ) -> [HeapTask] {
      switch tasks {
      case .none: []
      case .ofTheBody: snapshot.tasks(withLocal: tokens, of: (ScopeToken?).self, except: ownTask)
      case .all:
        snapshot.tasks(createdAfter: latestTaskBefore, except: ownTask).filter(\.runsTestCode)
      }
    }
  }
#endif

/// Whether the reading of the heap can be trusted in this process; tested once.
package enum HeapTrust {
  /// The reason why not; nil if it can be trusted.
  package static var reasonToDoubt: String? { get async { await verdict.value } }

  // The check runs tasks of its own, and must not block a thread that tasks run on.
  private static let verdict = Task.detached(name: "LeakCheck self-check") {
    await withCheckedContinuation { continuation in
      let body = { @Sendable in continuation.resume(returning: check()) }
      guard let thread = SystemThread(body) else { return body() }
      thread.detach()
    }
  }

  // Other threads allocate meanwhile and cannot disturb it: only what was planted is looked at. So a
  // check that fails says something of the runtime, and is not tried again.
  private static func check() -> String? {
    leak_check_start_recording()
    if let obstacle = HeapRecording.obstacle { return "\(HeapError.unrecordable(obstacle))" }
    guard HeapRecording.isOn else { return "\(HeapError.notRecording)" }
    do { try HeapSelfCheck.run() } catch { return "\(error)" }
    return nil
  }
}
