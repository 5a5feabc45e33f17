import MemlabHeapModel
import MemlabRuntimeABI

/// The addresses at which a suspended task and its callers will go on.
///
/// Assumes `TaskRows`, where the function to resume is followed by its context, and that
/// an async context begins with its caller's context and the caller's function to resume.
struct ResumeChain: Sendable {
  /// Functions to resume, innermost first.
  let functions: [UInt]
  /// The task waits for a continuation: its own function and its context's are the same then.
  let awaitsContinuation: Bool

  /// Follows the contexts of a task.
  ///
  /// Reads only memory that is known to be readable, accepts only functions in loaded code, and visits
  /// no context twice. So a block that isn't a suspended task yields nil or a short chain.
  ///
  /// - Parameters:
  ///   - task: the address of the task's object.
  ///   - limit: how many contexts are followed at most.
  init?(ofTask task: UnsafeRawPointer, limit: Int) {
    let start = UInt(bitPattern: task)
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
