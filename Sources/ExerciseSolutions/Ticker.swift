// A ticker turns the prices of a source from euros into cents. It does so in a task of its own,
// which captures the source and not the ticker, and is cancelled by the stream that it feeds. The
// stream ends with its source, and with the ticker.

import Exercises
import MemlabKit

final class Ticker: TickerUnderStudy {
  private let source: PriceSource
  private var continuation: AsyncStream<Int>.Continuation?
  private let probe = Probe(Ticker.self)

  lazy var prices: AsyncStream<Int> = AsyncStream { continuation in
    let forwarder = Task(probe: "forwarder") { [source] in
      for await price in source.prices {
        continuation.yield(price * 100)
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in forwarder.cancel() }
    self.continuation = continuation
  }

  init(source: PriceSource) { self.source = source }

  deinit { continuation?.finish() }
}
