// A news desk sends each item to all its readers. It never removes one: cancelled readers stay on
// its list forever, and nothing tells the waiting readers when the desk is dropped. Fix both.

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
    readers[lastNumber] = continuation
    return stream
  }

  /// Sends an item to all readers.
  func publish(_ item: String) {
    for reader in readers.values { reader.yield(item) }
  }
}
