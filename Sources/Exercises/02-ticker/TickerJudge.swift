import MemlabKit

/// What the judge needs of a ticker.
package protocol TickerUnderStudy: AnyObject {
  /// The prices in cents.
  var prices: AsyncStream<Int> { get }
  /// A ticker for this source.
  init(source: PriceSource)
}

/// The source of the prices. It lives as long as the app.
package final class PriceSource: Sendable {
  /// The prices in euros.
  package let prices: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation

  /// A source without prices.
  init() { (prices, continuation) = AsyncStream.makeStream() }

  /// Sends a price, in euros.
  func send(_ price: Int) { continuation.yield(price) }
  /// Finishes the stream of prices.
  func finish() { continuation.finish() }
}

extension Exercise {
  /// Exercise 02, judging this ticker.
  package static func ticker<Ticker: TickerUnderStudy>(_ type: Ticker.Type) -> Exercise {
    Exercise(
      number: "02", title: "a ticker and its forwarding task",
      lesson: "02-five-steps-to-a-stream-that-ends", file: "02-ticker/Ticker.swift",
      hint: "Three things are missing: a capture of only the source, a call that cancels the "
        + "forwarder when the stream is over, and calls that finish the stream, one for the "
        + "source and one for the ticker. 'memlab deinit-finish' has all of them.",
      figures: ["cents": "is the price that the reader received. The source sent 2 euros."],
      endings: [
        ending(type, "cancel", "the reader is cancelled, then the ticker is dropped") { stage in
          try stage.lab.release("the reader is cancelled") { stage.reader?.cancel() }
          try stage.dropTicker()
        },
        ending(type, "drop", "the ticker is dropped while the reader waits") { stage in
          try stage.dropTicker()
        },
        ending(type, "finish", "the source finishes, then the ticker is dropped") { stage in
          try stage.lab.release("the source finishes") { stage.source.finish() }
          try stage.dropTicker()
        },
      ])
  }

  private static func ending<Ticker: TickerUnderStudy>(
    _ type: Ticker.Type, _ name: String, _ title: String,
    _ act: @escaping @Sendable (TickerStage<Ticker>) throws -> Void
  ) -> Ending {
    Ending(
      name, title,
      expects: Declaration(
        .clean, objects: [ObjectCount("Ticker", created: 1, deinitialized: 1)],
        tasks: [
          TaskCount("reader", started: 1, finished: 1),
          TaskCount("forwarder", started: 1, finished: 1),
        ], metrics: ["cents": 200]),
      explanation: "No task is left that waits for a value that cannot come."
    ) { lab in
      let stage = TickerStage<Ticker>(lab)
      try stage.open()
      try act(stage)
    }
  }
}

/// Holds the ticker, its source and its reader, and runs the steps of the endings.
private final class TickerStage<Ticker: TickerUnderStudy> {
  let lab: Lab
  let source = PriceSource()
  private(set) var reader: Task<Void, Never>?
  private var ticker: Ticker?

  init(_ lab: Lab) { self.lab = lab }

  func open() throws {
    try lab.step("a ticker is created") { ticker = Ticker(source: source) }
    try lab.step("a reader starts") {
      guard let prices = ticker?.prices else { return }
      reader = Task(probe: "reader") {
        for await price in prices {
          Ledger.current?.note("reader received")
          Ledger.current?.setMetric("cents", price)
        }
      }
    }
    try lab.step("the source sends a price") { source.send(2) }
  }

  func dropTicker() throws {
    try lab.release("the ticker is dropped") { ticker = nil }
  }
}
