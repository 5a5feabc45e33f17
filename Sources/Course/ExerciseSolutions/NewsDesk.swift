// A news desk sends each item to all its readers. A stream that has ended takes its reader off the
// list, and the desk finishes all streams in its deinit.

import MemlabExercises
import MemlabKit

/// The news desk.
actor NewsDesk: NewsDeskUnderStudy {
  private var readers: [Int: AsyncStream<String>.Continuation] = [:]
  private var lastNumber = 0
  private let probe = Probe(NewsDesk.self)

  /// The number of readers that would receive an item.
  var readerCount: Int { readers.count }

  /// A stream for one more reader.
  func subscribe() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    lastNumber += 1
    let number = lastNumber
    readers[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.remove(number) }
    }
    return stream
  }

  /// Sends an item to all readers.
  func publish(_ item: String) {
    for reader in readers.values { reader.yield(item) }
  }

  private func remove(_ number: Int) {
    readers[number] = nil
  }

  deinit {
    for reader in readers.values { reader.finish() }
  }
}
