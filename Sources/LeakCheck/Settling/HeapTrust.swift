internal import CLeakCheckStart
internal import HeapGraph

#if canImport(Glibc)
  internal import Glibc
#endif

/// Whether the reading of the heap can be trusted in this process; tested once.
enum HeapTrust {
  /// The reason why not; nil if it can be trusted.
  static var reasonToDoubt: String? {
    get async { await verdict.value }
  }

  private static let verdict = Task.detached(name: "LeakCheck self-check") {
    await withCheckedContinuation { continuation in
      onThread { continuation.resume(returning: check()) }
    }
  }

  // Other threads allocate meanwhile, and may disturb this reading.
  private static func check() -> String? {
    leak_check_start_recording()
    if let obstacle = HeapRecording.obstacle { return "\(HeapError.unrecordable(obstacle))" }
    guard HeapRecording.isOn else { return "\(HeapError.notRecording)" }
    var reason: String?
    for _ in 0..<3 {
      do {
        try HeapSelfCheck.run { sched_yield() }
        return nil
      } catch { reason = "\(error)" }
    }
    return reason
  }

  // The check waits for a task, so it must not block a thread that tasks run on.
  private static func onThread(_ body: @escaping @Sendable () -> Void) {
    guard let thread = SystemThread(body) else { return body() }
    thread.detach()
  }
}
