// A ticker turns the prices of a source from euros into cents. It does so in its own task, which
// stays alive when nothing needs it any more. Fix it so that the ticker and both tasks are gone in
// each ending: the reader is cancelled; the ticker is dropped while the reader waits, or before
// anybody reads; the source finishes.

import MemlabKit

/// The ticker.
final class Ticker: TickerUnderStudy {
  private let source: PriceSource
  private let probe = Probe(Ticker.self)

  /// The prices in cents.
  lazy var prices: AsyncStream<Int> = AsyncStream { continuation in
    Task(probe: "forwarder") {
      for await price in self.source.prices {
        continuation.yield(price * 100)
      }
    }
  }

  /// A ticker for this source.
  init(source: PriceSource) { self.source = source }
}
