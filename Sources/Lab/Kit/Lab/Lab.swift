import MemlabHeapModel
import MemlabPlatform
import Synchronization

/// What a scenario's steps use: one lab for one trial.
public final class Lab: Sendable {
  /// The ledger that the trial's probes report to.
  public let ledger: Ledger
  private let scheduler: any Scheduler
  private let witness: (any HeapWitness)?
  private let records = Guarded<[StepRecord]>([])
  private let unmet = Guarded<[String]>([])
  private let hasThrown = Guarded(false)
  private let variation = Guarded<Variation?>(nil)
  private let observe: @Sendable (StepRecord) -> Void

  /// A lab for a trial.
  ///
  /// - Parameters:
  ///   - ledger: the trial's ledger.
  ///   - scheduler: runs the tasks.
  ///   - witness: reads the heap; nil where it cannot be read.
  ///   - observe: called after each step.
  init(
    ledger: Ledger, scheduler: any Scheduler, witness: (any HeapWitness)?,
    observe: @escaping @Sendable (StepRecord) -> Void = { _ in }
  ) {
    (self.ledger, self.scheduler, self.witness) = (ledger, scheduler, witness)
    self.observe = observe
  }

  /// The steps so far.
  var steps: [StepRecord] { records.withLock { $0 } }

  /// Each step that came to rest before its condition was true, as a sentence.
  var brokenPromises: [String] { unmet.withLock { $0 } }

  /// Runs an action, then waits until all tasks are at rest.
  ///
  /// - Parameters:
  ///   - text: what is done, as a sentence without its full stop.
  ///   - condition: what must be true then; if it is not, the trial goes on, and the report says so.
  ///   - onOtherThreads: whether the condition depends on threads that run no tasks, such as a
  ///     database's own. Then it is waited for in real time, for at most five seconds.
  ///   - file: where the step is written.
  ///   - line: where in that file.
  ///   - action: what is done, on the lab's own thread.
  /// - Throws: ``SchedulerError`` when rest is not reached, and what the action throws.
  public func step(
    _ text: String, until condition: (@Sendable () -> Bool)? = nil, onOtherThreads: Bool = false,
    file: String = #fileID, line: Int = #line, _ action: () throws -> Void
  ) throws {
    try perform(
      text, (condition, onOtherThreads), at: CodeLocation(file: file, line: line),
      whenNothingChanges: "nothing changed", action)
  }

  /// Releases something, then waits until all tasks are at rest.
  ///
  /// Like ``step(_:until:onOtherThreads:file:line:_:)``, but says "nothing was released" when nothing was.
  public func release(
    _ text: String, until condition: (@Sendable () -> Bool)? = nil, onOtherThreads: Bool = false,
    file: String = #fileID, line: Int = #line, _ action: () throws -> Void
  ) throws {
    try perform(
      text, (condition, onOtherThreads), at: CodeLocation(file: file, line: line),
      whenNothingChanges: "nothing was released", action)
  }

  // What a step promises, and whether threads keep the promise that run no tasks.
  private typealias Promise = (condition: (@Sendable () -> Bool)?, onOtherThreads: Bool)

  /// Runs an ending's steps in this lab's ledger, then waits until all tasks are at rest.
  ///
  /// - Parameters:
  ///   - ending: what is run.
  ///   - rest: waits for rest.
  /// - Throws: ``TrialError``, which names the step that went wrong.
  func play(_ ending: Ending, thenRest rest: () throws -> Void) throws(TrialError) {
    Watchdog.watch(ending)
    defer { Watchdog.rest() }
    do {
      try Ledger.$current.withValue(ledger) {
        try ending.run(self)
        try rest()
      }
    } catch {
      let isOfTheLab = error is SchedulerError || error is StillWaiting
      throw TrialError(
        ending, step: steps.count + (hasThrown.withLock { $0 } ? 0 : 1),
        reason: (isOfTheLab ? "" : "the code has thrown ") + "\(error)")
    }
  }

  private func perform(
    _ text: String, _ promise: Promise, at place: CodeLocation, whenNothingChanges quiet: String,
    _ action: () throws -> Void
  ) throws {
    let before = ledger.totals
    Watchdog.enter(step: text)
    hasThrown.withLock { $0 = false }
    try action()
    try settle(text, promise)
    let (changes, pollers) = (ledger.totals.changes(since: before), scheduler.pollers)
    let record = records.withLock { records in
      let record = StepRecord(
        index: records.count + 1, text: text,
        changes: (changes.isEmpty ? [quiet] : changes) + pollers, place: place)
      records.append(record)
      return record
    }
    Watchdog.rest(beforeStep: record.index + 1) { observe(record) }
    guard let variation = variation.withLock({ $0?.step == record.index ? $0.take() : nil }) else {
      return
    }
    if variation.action != .stop {
      try perform(variation.inWords, promise, at: place, whenNothingChanges: "nothing changed") {
        try variation.act(in: ledger, witness)
      }
    }
    if variation.stops { throw EndOfVariation() }
  }

  /// Has a step followed by what no scenario declares.
  func vary(_ variation: Variation) { self.variation.withLock { $0 = variation } }

  // For threads that run no tasks. The pool's scheduler waits as long for any condition.
  private static let conditionLimit = Duration.seconds(5)

  /// Waits until all tasks are at rest, and then again after each change, or after 10 ms.
  private func settle(_ text: String, _ promise: Promise) throws(SchedulerError) {
    let limit = promise.onOtherThreads ? Self.conditionLimit : .zero
    let start = RealTime.now()
    while true {
      let seen = ledger.changes
      do {
        return try scheduler.settle(ledger, until: promise.condition)
      } catch {
        guard error == .unmet else { throw error }
        guard RealTime.now() - start < limit else { break }
      }
      ledger.waitForChange(after: seen, milliseconds: 10)
    }
    // Broken code may come to rest too early. That is a result to report, not an error of memlab.
    let sentence =
      "step \(steps.count + 1), \"\(text)\": came to rest without doing what it promises"
    unmet.withLock { $0.append(sentence) }
  }

  /// Runs an async action in a task of its own, then waits until all tasks are at rest.
  ///
  /// ```swift
  /// let store = try lab.awaiting("the store is opened") { try await Store.open() }
  /// ```
  ///
  /// - Parameters:
  ///   - text: what is done, as a sentence without its full stop.
  ///   - file: where the step is written.
  ///   - line: where in that file.
  ///   - action: what is done. Its task is not counted, and has to end in this step.
  /// - Returns: what the action returns.
  /// - Throws: what the action throws; an error that says so where it still waits when all tasks
  ///   are at rest.
  @discardableResult
  public func awaiting<Value>(
    _ text: String, file: String = #fileID, line: Int = #line,
    _ action: sending @escaping () async throws -> sending Value
  ) throws -> sending Value {
    let errand = HeapRecording.withoutRecording { Errand<Value>() }
    errand.action = action
    func start() { Task { await errand.run() } }
    try step(text, until: { errand.isDone }, onOtherThreads: true, file: file, line: line, start)
    do {
      return try errand.value(of: text)
    } catch {
      // The step is done, and has its record: an ending may expect the error, and go on.
      hasThrown.withLock { $0 = true }
      throw error
    }
  }

  /// Runs a body on several real threads at once and returns when all of them have ended.
  ///
  /// The cooperative pool has one thread for each processor. A demonstration that needs ten threads
  /// at the same time must start them itself.
  ///
  /// - Parameters:
  ///   - count: how many threads.
  ///   - body: what each does; its argument is the thread's place, from 0.
  public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let ledger = ledger
    let threads = (0..<count).map { index in
      SystemThread.started { Ledger.$current.withValue(ledger) { body(index) } }
    }
    for thread in threads { thread.join() }
  }

  /// Does what must be able to use the memory of objects that are gone, at once.
  ///
  /// Otherwise that of an exercise is kept back for a while, so that a use after the end is noticed.
  package func reusingMemory(_ body: () throws -> Void) rethrows {
    try HeapRecording.reusingMemory(body)
  }
}

/// An action that is called once, in a task, and what it has returned or thrown.
private final class Errand<Value>: @unchecked Sendable {
  var action: (() async throws -> sending Value)?
  // Until the ending has it, it stands in a variable, as what the ending holds does.
  private let result = Guarded<Result<Variable<Value>, any Error>?>(nil)

  var isDone: Bool { result.withLock { $0 != nil } }

  func run() async {
    guard let action = action.take() else { return }
    do {
      let value = Variable(wrappedValue: try await action(), "result")
      result.withLock { $0 = .success(value) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
  }

  func value(of step: String) throws -> sending Value {
    nonisolated(unsafe) let taken = result.withLock { $0.take() }
    guard let taken else { throw StillWaiting(step: step) }
    return try taken.get().wrappedValue
  }
}

/// An action has not ended when everything is at rest.
struct StillWaiting: Error, CustomStringConvertible {
  /// What the action does.
  let step: String

  /// A sentence without its full stop.
  var description: String {
    "the async action of \"\(step)\" still waits when all tasks are at rest; start what is to go on "
      + "in a Task(probe:)"
  }
}

extension SystemThread {
  // In bytes. glibc caches at most 40 MB of stacks, five of the usual size, and maps others anew.
  // Source: `stack_cache_maxsize` in nptl/allocatestack.c.
  private static let smallStack = 512 * 1024

  /// Starts one of memlab's own threads; traps where that is impossible, because nothing can be
  /// measured without it.
  static func started(_ body: @escaping @Sendable () -> Void) -> SystemThread {
    guard let thread = SystemThread(stackSize: smallStack, body) else {
      fatalError("no thread could be made")
    }
    return thread
  }
}

/// What an app keeps for as long as it runs: its run loop, its network session, its disk.
///
/// A trial's sources of events must outlive the measurement. If the last step released them, a leak
/// that they cause would be gone before it is counted.
public enum AppWide {
  // The source is never read, only held.
  private struct Kept: @unchecked Sendable {
    // Not the ledger itself: if the source holds the ledger, that would be a retain cycle.
    let trial: ObjectIdentifier
    let source: AnyObject
  }

  // Only the sources of trials that are still running, so that the list stays short.
  private static let kept = Mutex<[Kept]>([])
  private static let leaking = Mutex<[Kept]>([])

  /// Keeps a source until the trial has been measured; if the trial leaks, until the process ends.
  ///
  /// - Parameters:
  ///   - source: what is kept.
  ///   - trial: the trial's ledger.
  /// - Returns: the source.
  @discardableResult
  public static func keep<Source: AnyObject>(_ source: Source, for trial: Ledger) -> Source {
    kept.withLock { kept in
      // Allocate afresh so that this trial's recorder sees the buffer; `-O` would reuse the old one.
      var longer: [Kept] = []
      longer.reserveCapacity(kept.count + 1)
      longer += kept
      longer.append(Kept(trial: ObjectIdentifier(trial), source: source))
      kept = longer
    }
    return source
  }

  /// Releases a trial's sources after its measurement.
  ///
  /// If the trial leaks, they are kept: a source may hold the leak, which would end with the source.
  static func release(after trial: Ledger) {
    let sources = HeapRecording.withoutRecording {
      let sources = kept.withLock { kept in
        let sources = kept.filter { $0.trial == ObjectIdentifier(trial) }
        if !sources.isEmpty { kept.removeAll { $0.trial == ObjectIdentifier(trial) } }
        return sources
      }
      if Verdict.measured(from: trial.totals) == .leak {
        leaking.withLock { $0.append(contentsOf: sources) }
      }
      return sources
    }
    // Released outside of the lock, which a deinit may need.
    withExtendedLifetime(sources) {}
  }
}
