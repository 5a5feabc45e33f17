import MemlabHeapModel
import MemlabHeapReader

/// A moment at which a task of a body has stopped, and has not ended.
struct Suspension: Sendable {
  /// What a suspended task waits for.
  enum Kind: Sendable {
    /// An event: a timer, a value, the end of another task.
    case event
    /// Its turn, on the check's own executor.
    case turn
    /// Nothing that the check knows of: it has gone to another executor.
    case elsewhere
  }

  /// What it waits for.
  let kind: Kind
  /// Where it waits; reads symbols, which takes some time.
  let trace: @Sendable () -> AsyncBacktrace?
  // An address would look like a way to the task.
  fileprivate let complement: UInt
}

/// The way that a run of a body takes, from one suspension to the next.
struct PathOfBody {
  /// Where the body has suspended.
  private(set) var suspensions: [Suspension] = []
  // Where each task was last whose jobs have run; by the complements of the tasks' addresses.
  private var places: [UInt: [UInt]] = [:]
  private var latest: UInt = 0

  /// Notes a job that is about to run, and tells whether the moment has come to cancel the body.
  mutating func comes(to moment: CancellationMoment, with job: UnownedJob) -> Bool {
    HeapRecording.withoutRecording { note(job) }
    guard let number = moment.suspension, moment == .after(number), number <= suspensions.count
    else { return false }
    return suspensions[number - 1].complement == ~job.address || !isOfTask(job)
  }

  /// Notes where a task has stopped that a job has run, unless it has ended.
  ///
  /// - Parameter queue: the jobs that are ready; asked last, for a task may become ready meanwhile.
  mutating func look(after job: UnownedJob, queue: () -> [UnownedJob]) {
    HeapRecording.withoutRecording {
      if let place = suspension(after: job, queue: queue) { suspensions.append(place) }
    }
  }

  // The other jobs are those of actors, which let tasks go on that wait for them.
  private func isOfTask(_ job: UnownedJob) -> Bool { places[~job.address] != nil }

  #if MEMLAB_PORTABLE
    // Where tasks wait is not read here: whatever has run, has suspended.
    private func note(_ job: UnownedJob) {}

    private func suspension(after job: UnownedJob, queue: () -> [UnownedJob]) -> Suspension? {
      Suspension(kind: queue().isEmpty ? .event : .turn, trace: { nil }, complement: ~job.address)
    }
  #else
    private mutating func note(_ job: UnownedJob) {
      guard let (_, chain) = Self.task(at: job.address) else { return }
      latest = ~job.address
      places[latest] = chain.functions
    }

    private mutating func suspension(
      after job: UnownedJob, queue: () -> [UnownedJob]
    ) -> Suspension? {
      let isOfTask = isOfTask(job)
      let moved = update()
      guard isOfTask || !moved.hasEnded || !moved.tasks.isEmpty else { return nil }
      // A task may wait in the same place as before; an actor's job does not tell whose it was.
      let address = isOfTask ? job.address : moved.tasks.first ?? ~latest
      guard let (task, chain) = Self.task(at: address) else { return nil }
      // The job of `Task.yield` has only made the task ready.
      if !isOfTask, moved.tasks.isEmpty, task.isEnqueued { return nil }
      let yields = task.isYielding
      let isReady = yields || queue().contains { $0.address == address || !self.isOfTask($0) }
      return Suspension(
        kind: task.isSuspended && !yields ? .event : isReady ? .turn : .elsewhere,
        trace: { AsyncBacktrace(chain, hiding: OwnModules.names) }, complement: ~address)
    }

    private mutating func update() -> (tasks: [UInt], hasEnded: Bool) {
      var moved: [UInt] = []
      var hasEnded = false
      for (complement, place) in places {
        let now = Self.task(at: ~complement)?.chain.functions
        places[complement] = now
        if now == nil { hasEnded = true } else if now != place { moved.append(~complement) }
      }
      return (moved, hasEnded)
    }

    // Nil when there is none, or it has ended.
    private static func task(at address: UInt) -> (task: HeapTask, chain: ResumeChain)? {
      guard let chain = ResumeChain(ofTask: address) else { return nil }
      let task = TaskReader(address: address).described(nil)
      return task.isFinished ? nil : (task, chain)
    }
  #endif
}

extension UnownedJob {
  /// Where it is: for a task's job, where the task is.
  fileprivate var address: UInt { unsafeBitCast(self, to: UInt.self) }
}
