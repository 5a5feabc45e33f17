import MemlabHeapModel
import Synchronization

/// A number that a planted task notes for the thread that checks.
final class PlantedWord: Sendable {
  // The complement: the number may be an address, which nothing here may keep alive.
  private let complement = Mutex<UInt?>(nil)

  /// The number; nil until it is noted.
  var word: UInt? {
    get { complement.withLock { $0.map { ~$0 } } }
    set { complement.withLock { $0 = newValue.map { ~$0 } } }
  }

  /// Notes where the calling task is.
  func noteTask() {
    withUnsafeCurrentTask { task in word = task.map { unsafeBitCast($0, to: UInt.self) } }
  }
}
