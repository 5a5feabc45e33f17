import CMemlabStart
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform

/// Whether the reading of the heap can be trusted in this process; tested once.
package enum HeapTrust {
  /// The reason why not; nil if it can be trusted.
  package static var reasonToDoubt: String? {
    get async { await verdict.value }
  }

  private static let verdict = Task.detached(name: "LeakCheck self-check") {
    await withCheckedContinuation { continuation in
      onThread { continuation.resume(returning: check()) }
    }
  }

  // Other threads allocate meanwhile and cannot disturb it: only what was planted is looked at. So a
  // check that fails says something of the runtime, and is not tried again.
  private static func check() -> String? {
    leak_check_start_recording()
    if let obstacle = HeapRecording.obstacle { return "\(HeapError.unrecordable(obstacle))" }
    guard HeapRecording.isOn else { return "\(HeapError.notRecording)" }
    do {
      try HeapSelfCheck.run()
      return nil
    } catch {
      return "\(error)"
    }
  }

  // The check runs tasks of its own, and must not block a thread that tasks run on.
  private static func onThread(_ body: @escaping @Sendable () -> Void) {
    guard let thread = SystemThread(body) else { return body() }
    thread.detach()
  }
}
