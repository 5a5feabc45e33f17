package import MemlabKit

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

/// Exercise 02: holds the ticker, its source and its reader, and runs the steps of the endings.
package final class TickerJudge<Ticker: TickerUnderStudy>: JudgeStage, Judge {
  private let source = PriceSource()
  private var prices = Secret.numbers(4 + Secret.number(upTo: 20))
  private let seen = Seen<Int>()
  private var reader: Task<Void, Never>?
  private var ticker: Ticker?
  private var late = 0

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("cancel") { [$0.cancelReader, $0.countTasks, $0.dropTicker] }
    ending("drop") { [$0.dropTicker, $0.countTasks] }
    ending("finish") { [$0.finishSource, $0.countTasks, $0.dropTicker] }
    Ending("unread", ["Ticker": 1], tasks: ["forwarder": 1], run: unread)
    // The forwarder has not run yet: what it looks for in the ticker then is gone.
    Ending("early", ["Ticker": 1], tasks: ["forwarder": 1]) { lab in
      let source = AppWide.keep(PriceSource(), for: lab.ledger)
      var prices: AsyncStream<Int>?
      try lab.release("a ticker's stream is taken, and the ticker is dropped at once") {
        prices = Ticker(source: source).prices
      }
      withExtendedLifetime(prices) {}
    }
    // What all tickers share, such as a static property, serves the wrong one.
    Ending(
      "two", ["Ticker": 2], tasks: ["reader": 2, "forwarder": 2],
      figures: ["pricesLost": 0, "tasksLeft": 2]
    ) { lab in
      let (first, second) = (TickerJudge(lab), TickerJudge(lab))
      for stage in [first, second] { try stage.open() }
      try first.dropTicker()
      first.countTasks()
      try second.sendOneMore()
      try second.dropTicker()
      lab.ledger.setMetric("pricesLost", first.lost + second.lost)
    }
  }

  private static func ending(_ name: String, steps: @escaping Steps<TickerJudge>) -> Ending {
    Ending(
      name, ["Ticker": 1], tasks: ["reader": 1, "forwarder": 1],
      figures: ["pricesLost": 0, "tasksLeft": 0], on: TickerJudge.init
    ) { [$0.open] + steps($0) + [$0.compare] }
  }

  @Sendable private static func unread(_ lab: Lab) throws {
    let source = AppWide.keep(PriceSource(), for: lab.ledger)
    var (ticker, prices): (Ticker?, AsyncStream<Int>?) = (nil, nil)
    try lab.step("a ticker is created") { ticker = Ticker(source: source) }
    try lab.step("its stream is taken") { prices = ticker?.prices }
    try lab.step("the source sends a price") { source.send(Secret.number()) }
    try lab.release("the ticker is dropped") { ticker = nil }
    withExtendedLifetime((ticker, prices)) {}
  }

  private func open() throws {
    AppWide.keep(source, for: lab.ledger)
    try lab.step("a ticker is created") { ticker = Ticker(source: source) }
    try lab.step("a reader starts") {
      guard let prices = ticker?.prices else { return }
      reader = Task(probe: "reader") { [seen] in
        for await price in prices {
          Ledger.current?.note("reader received")
          seen.add(price)
        }
      }
    }
    try lab.step("the source sends a price") { source.send(prices[0]) }
    // Who waits for a second price before the first is sent on has lost time.
    if seen.all.count != 1 { late = 1 }
    try lab.step("the source sends many at once") { prices.dropFirst().forEach(source.send) }
  }

  private func cancelReader() throws {
    try lab.release("the reader is cancelled") { reader?.cancel() }
  }

  private func finishSource() throws { try lab.release("the source finishes") { source.finish() } }

  private func countTasks() { lab.ledger.setMetric("tasksLeft", lab.ledger.totals.liveTasks) }

  private func compare() { lab.ledger.setMetric("pricesLost", lost) }

  private var lost: Int { late + prices.count - seen.all.right(of: prices.map { $0 * 100 }) }

  private func sendOneMore() throws {
    prices.append(Secret.number())
    try lab.step("the source sends one more price") { source.send(prices[prices.count - 1]) }
  }

  private func dropTicker() throws { try lab.release("the ticker is dropped") { ticker = nil } }
}
