// A news desk sends each item to all its readers. A stream that is over takes its reader off the
// list, and the desk finishes all streams when it goes.

import Exercises
import MemlabKit

actor NewsDesk: NewsDeskUnderStudy {
  private var readers: [Int: AsyncStream<String>.Continuation] = [:]
  private var lastNumber = 0
  private let probe = Probe(NewsDesk.self)

  var readerCount: Int { readers.count }

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
