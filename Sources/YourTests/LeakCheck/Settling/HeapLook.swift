import CMemlabStart
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform

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
  /// Whether nothing can resume the tasks or release the objects as long as the check waits.
  private(set) var isFinal: Bool
  /// Whether another look would say the same.
  private(set) var isProven: Bool
  /// What leads to them, and cannot be a way as long as the check waits.
  let spentWay: SpentWay?
  /// The recorder's numbers of the blocks that nothing led to.
  let lost: Set<UInt64>
  /// What may still run; nil when there is nothing, or when it was not asked because tasks run.
  let pending: PendingWork?
  /// Whether nothing may still run that the check has begun, or that could resume its tasks, though
  /// something may lead to what is left: a global variable, or what looks like a reference.
  let isIdle: Bool
  /// What owns the objects then, as numbers that no other block ever has.
  let owners: Set<UInt64>
  /// The numbers of the tasks that soon end the sleep of others, which lead to the objects then.
  let alarms: Set<UInt64>
  /// Whether a task of the check has not ended and none was found: one is about to begin or to end.
  private(set) var isBetweenTasks: Bool
  /// Whether one of the tasks runs, or will as soon as there is a thread for it.
  var isMoving: Bool { isBetweenTasks || !tasks.allSatisfy(\.isAtRest) }
  /// Whether one of them waits for a thread, so that a busy machine may be why it has not ended.
  var isLate: Bool { isBetweenTasks || tasks.contains { $0.isEnqueued || $0.isYielding } }

  /// Reads the heap for some checks, then ends the turn.
  ///
  /// Each is answered with a failure when the heap is not recorded, or not as it is known.
  @HeapReadTurn static func take(for requests: [LookRequest]) async {
    let start = ContinuousClock.now
    defer { HeapReadTurn.end(after: ContinuousClock.now - start) }
    let answers: [Result<HeapLook, UnreadHeap>?]
    if let reason = await HeapTrust.reasonToDoubt {
      answers = requests.map { _ in .failure(UnreadHeap(reason: reason)) }
    } else if requests.allSatisfy(\.scope.isClean) {
      answers = requests.map { _ in nil }
    } else {
      var found = requests.map { _ in [AnyObject]() }
      // The addresses stored here would look like references.
      let looks = HeapRecording.withoutRecording { Result { try read(for: requests, &found) } }
      for (request, objects) in zip(requests, found) {
        guard let place = request.scope.placeOfRings else { continue }
        for object in objects { request.scope.watch(object, at: place, as: .found) }
      }
      answers = requests.indices.map { place in
        looks.map { $0[place] }.mapError { UnreadHeap(reason: "\($0)") }
      }
    }
    for (request, answer) in zip(requests, answers) { request.answer(with: answer) }
  }

  private static func read(
    for requests: [LookRequest], _ found: inout [[AnyObject]]
  ) throws -> [HeapLook] {
    #if MEMLAB_PORTABLE
      throw HeapError.unread
    #else
      let readings = requests.map(Reading.init)
      var glimpses = readings.map(\.glimpse)
      var looks = try HeapSnapshot.take(
        skippingFramesOf: OwnModules.names, in: requests.map(\.scope.taskOfTest)
      ) { snapshot, surroundings in
        surroundings.lost = LeakScope.lostBlocks
        surroundings.reported = LeakScope.leftByEarlierChecks
        surroundings.wait = requests.map(\.limit).max()
        var looks = readings.indices.map { readings[$0].look(snapshot, surroundings, &found[$0]) }
        // Each time, a timer that fires every 10 ms was missed in one look of twenty.
        for _ in 0..<2 where looks.contains(where: { $0.isFinal && !$0.isProven }) {
          surroundings.readAgain()
          let places = looks.indices.filter { looks[$0].isFinal && !looks[$0].isProven }
          let parts = surroundings.parts(of: places[...]) { places in
            let asked = places.map { (reading: readings[$0], tasks: looks[$0].tasks) }
            return Reading.areFinal(asked, surroundings) ? .none : .found
          }
          for place in parts.filter({ $0.ways == .found }).flatMap(\.objects) {
            looks[place].isFinal = false
          }
        }
        return looks
      } first: { blocks in
        for place in glimpses.indices { glimpses[place].look(at: blocks) }
      }.1
      for place in looks.indices { looks[place].complete(with: glimpses[place]) }
      return looks
    #endif
  }
}

#if !MEMLAB_PORTABLE
  /// One check's questions, and what is asked for it before a look.
  private struct Reading {
    private let request: LookRequest
    private let objects: [UInt]
    private let tokens: [UInt]

    init(_ request: LookRequest) {
      (self.request, tokens) = (request, request.scope.tokenAddresses)
      objects = request.scope.survivors.map(\.address)
    }

    private var scope: LeakScope { request.scope }

    var glimpse: TasksWhenListed {
      TasksWhenListed(withLocal: tokens, of: (ScopeToken?).self, except: scope.taskOfTest)
    }

    /// Whether nothing leads to the objects of some checks and to some tasks.
    static func areFinal(
      _ asked: [(reading: Reading, tasks: [HeapTask])], _ surroundings: HeapSurroundings
    ) -> Bool {
      let observed = asked.flatMap { $0.reading.objects + $0.reading.tokens }
      return surroundings.incomingPaths(
        to: asked.flatMap(\.tasks), objects: asked.flatMap(\.reading.objects),
        waiting: asked.map(\.reading.scope.taskOfTest),
        observers: Dictionary(observed.map { ($0, 1) }, uniquingKeysWith: +)) == .none
    }

    /// - Parameter found: receives objects in rings.
    func look(
      _ snapshot: HeapSnapshot, _ surroundings: HeapSurroundings, _ found: inout [AnyObject]
    ) -> HeapLook {
      surroundings.abandoned = []
      let ofTheBody = surroundings.tasks(
        withLocal: tokens, of: (ScopeToken?).self, except: scope.taskOfTest)
      let othersTasks = surroundings.tasks(withOtherLocalsThan: tokens, of: (ScopeToken?).self)
      let tasks = unfinished(in: snapshot, ofTheBody, besides: othersTasks)
      found = newRings(in: snapshot, surroundings)
      let isBetweenTasks =
        !tokens.isEmpty && ofTheBody.isEmpty && tasks.isEmpty
        && (scope.hasUnfinishedTasks || scope.tasks == .all)
      let isAtRest = tasks.allSatisfy(\.isAtRest) && (tokens.isEmpty || !tasks.isEmpty)
      // A clean test is asked nothing more: each question takes a look through the heap.
      let isRestLeft = !tasks.isEmpty || !objects.isEmpty
      let isSomethingLeft = isRestLeft || !found.isEmpty
      let areRingsKnown = !scope.needsToSeeRingsAgain && (found.isEmpty || surroundings.isExact)
      // Blocks that are older than the recording could lead to anything.
      let isWhole = leak_check_records_everything() && areRingsKnown
      let isStill =
        isWhole && isSomethingLeft && isAtRest
        && tasks.allSatisfy { !$0.isSleeping || surroundings.sleepsLong($0) }
      let isFinal = isStill && (!isRestLeft || Self.areFinal([(self, tasks)], surroundings))
      let isProven = isFinal && surroundings.isExact
      let mayBeIdle = isStill && !isFinal
      let pending =
        mayBeIdle ? work(in: snapshot, surroundings, besides: othersTasks, resuming: tasks) : nil
      let isIdle = mayBeIdle && pending == nil
      return HeapLook(
        snapshot: snapshot, tasks: tasks,
        traces: isFinal ? [] : tasks.map { TaskTrace($0, among: []) },
        taskLocals: objects.isEmpty ? [:] : snapshot.taskLocals(of: tasks),
        othersTasks: othersTasks, isFinal: isFinal, isProven: isProven,
        spentWay: surroundings.spentWay, lost: surroundings.abandoned, pending: pending,
        isIdle: isIdle, owners: isIdle ? surroundings.owners(of: objects) : [],
        alarms: isIdle
          ? surroundings.alarms(
            leadingTo: objects, besides: LeakScope.live.map(\.taskOfTest)) : [],
        isBetweenTasks: isBetweenTasks)
    }

    // Objects in rings that a whole test has left behind, where those are looked for. One look is not
    // enough where a thread has run: what only that refers to looks like a ring.
    private func newRings(
      in snapshot: HeapSnapshot, _ surroundings: HeapSurroundings
    ) -> [AnyObject] {
      guard scope.placeOfRings != nil, let beginning = scope.beginning else { return [] }
      let others = Set(objects)
      let rings = snapshot.rings(since: beginning, outside: SystemTypes.ofLibraries)
        .filter { !others.contains($0) }
      let seen = scope.ringsSeenBefore(among: rings)
      let isUndisturbed = !rings.isEmpty && surroundings.isUndisturbed
      let hasPatience = scope.willSeeRingsAgain(after: isUndisturbed)
      let (abandoned, mayBeMore) = surroundings.abandonedObjects(
        at: hasPatience ? rings : seen, waiting: scope.taskOfTest, hasPatience: hasPatience)
      let (isExact, isAll) = (surroundings.isExact, abandoned.count == rings.count)
      scope.noteRings(
        rings, areUnclear: mayBeMore, isUndisturbed: isUndisturbed,
        areAllKnown: isExact && isAll)
      // There may be thousands.
      let known = Set(seen)
      return abandoned.filter {
        isExact || known.contains(UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()))
      }
    }

    // What may still run of what was begun since the body did; where tasks wait, of whatever there is.
    private func work(
      in snapshot: HeapSnapshot, _ surroundings: HeapSurroundings, besides others: Set<UInt>,
      resuming waiting: [HeapTask]
    ) -> PendingWork? {
      let strangers = surroundings.tasks(ofOtherTestsThan: scope.taskOfTest)
      guard waiting.isEmpty else {
        return work(in: snapshot, surroundings, resuming: waiting, besides: strangers)
      }
      guard let beginning = scope.beginning else { return .task(nil) }
      let (checks, others) = (LeakScope.live, others.union(strangers))
      let work = surroundings.work(
        leadingTo: checks.filter { !$0.isRelated(to: scope) }.flatMap(\.survivors).map(\.address)
          + surroundings.reported,
        andNotTo: scope.survivors.map(\.address), orOf: others)
      let tasks = snapshot.tasks(since: beginning, besides: others.union(checks.map(\.taskOfTest)))
      let mayRun = { (task: HeapTask) in
        surroundings.answer(to: \.runsTestCode, about: task) && !work.includes(task)
      }
      if let task = tasks.first(where: mayRun) { return .task(task.name) }
      return surroundings.workPending(since: beginning, besides: work, firingWithin: request.limit)
    }

    // What may run and resume tasks that wait, such as a service that is older than the body. Another task
    // that waits can do nothing before it is resumed itself.
    private func work(
      in snapshot: HeapSnapshot, _ surroundings: HeapSurroundings, resuming waiting: [HeapTask],
      besides strangers: Set<UInt>
    ) -> PendingWork? {
      let known = strangers.union(LeakScope.live.map(\.taskOfTest) + waiting.map(\.address))
      let others = snapshot.tasks.filter { !$0.isFinished && !known.contains($0.address) }
      if let task = others.first(where: \.goesOn) { return .task(task.name) }
      let work = surroundings.work(leadingTo: [], andNotTo: waiting.map(\.address), orOf: strangers)
      return surroundings.workPending(since: nil, besides: work, firingWithin: request.limit)
    }

    // The tasks that the check judges and that have not ended. What an earlier test has left behind goes
    // on, and creates others.
    private func unfinished(
      in snapshot: HeapSnapshot, _ ofTheBody: [HeapTask], besides others: Set<UInt>
    ) -> [HeapTask] {
      switch scope.tasks {
      case .none: []
      case .ofTheBody: ofTheBody
      case .all:
        snapshot.tasks(
          createdAfter: scope.latestTaskBefore, besides: others.union([scope.taskOfTest])
        ).filter(\.runsTestCode)
      }
    }
  }

  extension HeapLook {
    // The frames of a task that has gone on meanwhile are gone, each with its block.
    fileprivate mutating func complete(with glimpse: TasksWhenListed) {
      guard !isFinal, traces.allSatisfy({ $0.origin == nil }) else { return }
      let earlier = glimpse.traces(hiding: OwnModules.names)
      // One that ran code of the test has ended meanwhile, and may have started another.
      if tasks.isEmpty, !earlier.allSatisfy(\.frames.isEmpty) { isBetweenTasks = true }
      if tasks.isEmpty || earlier.contains(where: { $0.origin != nil }) { traces = earlier }
    }
  }

  extension HeapTask {
    /// Whether it runs code of a test, and is resumed by nobody but the clock where it is suspended.
    fileprivate var goesOn: Bool { (!isAtRest || isSleeping) && runsTestCode }

    /// Whether the task runs code of a test; the library has its own tasks, for timers.
    fileprivate var runsTestCode: Bool {
      if name == Signal.nameOfTimers || isAlarm { return false }
      if isChild || isEnqueued || isRunning { return true }
      let trace = pointer.flatMap { AsyncBacktrace(ofTask: $0, hiding: OwnModules.names) }
      return trace?.frames.contains { !$0.isLibrary } == true
    }
  }
#endif

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
