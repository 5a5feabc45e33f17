// A news desk sends each item to all its readers. It never forgets one: readers that are cancelled
// stay on its list for ever, and readers that wait when the desk goes are never told. Mend both.

import MemlabKit

actor NewsDesk: NewsDeskUnderStudy {
  private var readers: [Int: AsyncStream<String>.Continuation] = [:]
  private var lastNumber = 0
  private let probe = Probe(NewsDesk.self)

  var readerCount: Int { readers.count }

  func subscribe() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream<String>.makeStream()
    lastNumber += 1
    readers[lastNumber] = continuation
    return stream
  }

  func publish(_ item: String) {
    for reader in readers.values { reader.yield(item) }
  }
}
