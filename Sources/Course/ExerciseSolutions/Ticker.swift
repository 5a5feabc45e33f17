// A ticker turns the prices of a source from euros into cents. It does so in its own task, which
// captures the source but not the ticker, and which is cancelled by the stream that it feeds. The
// stream ends with its source, and with the ticker.

import MemlabExercises
import MemlabKit

/// The ticker.
final class Ticker: TickerUnderStudy {
  private let source: PriceSource
  private var continuation: AsyncStream<Int>.Continuation?
  private let probe = Probe(Ticker.self)

  /// The prices in cents.
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

  /// A ticker for this source.
  init(source: PriceSource) { self.source = source }

  deinit { continuation?.finish() }
}
