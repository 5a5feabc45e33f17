import MemlabHeapModel
import MemlabRuntimeABI

/// The addresses at which a suspended task and its callers will go on.
///
/// Assumes `TaskRows`, where the function to resume is followed by its context, and that
/// an async context begins with its caller's context and the caller's function to resume.
package struct ResumeChain: Sendable {
  /// Functions to resume, innermost first.
  package let functions: [UInt]
  /// The task waits for a continuation: its own function and its context's are the same then.
  let awaitsContinuation: Bool

  /// Follows the contexts of a task.
  ///
  /// Reads only memory that is known to be readable, accepts only functions in loaded code, and visits
  /// no context twice. So a block that isn't a suspended task yields nil or a short chain.
  ///
  /// - Parameters:
  ///   - start: the address of the task's object.
  ///   - limit: how many contexts are followed at most.
  package init?(ofTask start: UInt, limit: Int = 256) {
    let segments = LoadedSegments.current()
    guard let symbols = RuntimeSymbols.current, let object = MemoryCopy.pair(at: start),
      object.first == symbols.taskMetadata,
      let job = MemoryCopy.pair(at: start + abi.task.resume), segments.isCode(job.first)
    else { return nil }
    var functions = [job.first]
    var visited: Set<UInt> = []
    var context = job.second
    while functions.count <= limit, visited.insert(context).inserted,
      let frame = MemoryCopy.pair(at: context), segments.isCode(frame.second)
    {
      functions.append(frame.second)
      context = frame.first
    }
    awaitsContinuation = functions.count > 1 && functions[0] == functions[1]
    self.functions = awaitsContinuation ? Array(functions.dropFirst()) : functions
  }
}

extension HeapTask {
  /// Whether the task has called `Task.yield()` and waits for its turn: another job's turn resumes it.
  ///
  /// The function that it goes on in tells, so this is also known where the library's names were
  /// stripped, and where another library's function has yielded.
  package var isYielding: Bool { ResumeChain(ofTask: address, limit: 1)?.yields == true }

  /// Whether a timer will resume the task. What a timer holds cannot always be followed.
  package var isSleeping: Bool {
    pointer.flatMap { AsyncBacktrace(ofTask: $0) }?.suspendedIn == "Task.sleep"
  }

  /// Whether the runtime made the task to end a sleep: it has not begun, and what it will begin with is
  /// a function of Swift's own libraries. They make such a task for each `Task.sleep`.
  ///
  /// Assumes that one of the four words before a task's first context is the function that the task
  /// begins with (`FutureAsyncContextPrefix` in include/swift/ABI/Task.h). The others never lie in code.
  /// Before the context of any other function is what its neighbour in memory has.
  package var isAlarm: Bool {
    guard name == nil, !isFinished, !isChild,
      let chain = ResumeChain(ofTask: address, limit: 3), chain.functions.count == 2,
      let context = MemoryCopy.pair(at: address + abi.task.resumeContext)?.first
    else { return false }
    let words = (1...4).compactMap { MemoryCopy.pair(at: context &- $0 * 8)?.first }
    guard let start = words.first(where: LoadedSegments.current().isCode) else { return false }
    // A stripped library has no symbol for it.
    if Symbolizer.shared.symbol(at: start)?.isLibrary == true { return true }
    let library = LoadedSegments.current().segment(at: start)?.name ?? ""
    return LibraryCode.contains(module: nil, library: library)
  }
}

extension ResumeChain {
  /// Whether the task goes on in `Task.yield()`.
  var yields: Bool { awaitsContinuation && functions.first == Self.placeOfYield }

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
    let code = Place(start)[abi.task.resume].target
    return code.isCode ? code.address : nil
  }()
}
