import Dispatch
package import Foundation
import Synchronization

/// Reads one end of a pipe on a thread of its own.
package final class BackgroundReader: Sendable {
  private let read = Mutex(Data())
  private let isDone = DispatchSemaphore(value: 0)

  /// Begins to read.
  package init(_ handle: FileHandle) {
    let descriptor = handle.fileDescriptor
    // A queue, not a task: tests may occupy every thread that tasks run on.
    DispatchQueue(label: "reader").async { [self] in
      let data = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readDataToEndOfFile()
      read.withLock { $0 = data }
      isDone.signal()
    }
  }

  /// Everything there was to read, once the writers have closed their end.
  package func text() -> String {
    isDone.wait()
    return read.withLock { String(decoding: $0, as: UTF8.self) }
  }
}
