import MemlabHeapModel
import MemlabRuntimeABI

extension HeapTask {
  /// Whether the task has called `Task.yield()` and waits for its turn: another job's turn resumes it.
  ///
  /// The function that it goes on in tells, so this is also known where the library's names were
  /// stripped, and where another library's function has yielded.
  package var isYielding: Bool {
    pointer.flatMap { ResumeChain(ofTask: $0, limit: 1) }?.yields == true
  }
}

extension ResumeChain {
  /// Whether the task goes on in `Task.yield()`.
  var yields: Bool {
    awaitsContinuation && functions.first == Self.placeOfYield
  }

  /// What the task waits in, where the optimiser or the library has left no name; nil for one that waits
  /// for no continuation.
  var namelessPlace: String? {
    guard awaitsContinuation else { return nil }
    return yields ? abi.frames.yield : "a continuation"
  }

  /// Where tasks go on that have called `Task.yield()`; nil where that was not seen.
  ///
  /// One is started that calls it, and looked at while it waits. A job resumes it that the runtime
  /// hands to the task's executor; elsewhere it could go on at any time.
  static let placeOfYield: UInt? = {
    let executor = PlantedExecutor()
    let task = Task.detached(executorPreference: executor) { await Task.yield() }
    executor.run(atMost: 1)
    defer { executor.run() }
    let start = unsafeBitCast(task, to: UInt.self)
    guard executor.waiting.count == 1, executor.waiting != [start &+ abi.jobs.offset] else {
      return nil
    }
    let code = Peek.word(start &+ abi.task.resume)
    return Peek.isCode(code) ? code : nil
  }()
}
