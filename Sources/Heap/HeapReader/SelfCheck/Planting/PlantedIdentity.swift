import MemlabHeapModel
import Synchronization

/// The first word of an executor's identity, which a thread without a task notes.
final class PlantedIdentity: Sendable {
  private let noted = Mutex<UInt?>(nil)

  /// What was noted; nil where the runtime cannot be asked.
  var word: UInt? { noted.withLock { $0 } }

  /// Notes that of the calling thread's executor.
  func note() {
    typealias Current = @convention(c) () -> UInt
    let current = CFunction.named("swift_task_getCurrentExecutor", as: Current.self)
    let word = current.map { $0() }
    noted.withLock { $0 = word }
  }
}
