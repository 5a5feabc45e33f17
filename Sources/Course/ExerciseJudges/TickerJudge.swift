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

extension Exercise {
  /// Exercise 02, judging this ticker.
  package static func ticker<Ticker: TickerUnderStudy>(_ type: Ticker.Type) -> Exercise {
    Exercise(
      number: "02",
      endings: [
        ending(type, "cancel", "the reader is cancelled, then the ticker is dropped") {
          [$0.cancelReader, $0.countTasks, $0.dropTicker]
        },
        ending(type, "drop", "the ticker is dropped while the reader waits") {
          [$0.dropTicker, $0.countTasks]
        },
        ending(type, "finish", "the source finishes, then the ticker is dropped") {
          [$0.finishSource, $0.countTasks, $0.dropTicker]
        },
        unread(type), two(type),
      ])
  }

  private static func ending<Ticker: TickerUnderStudy>(
    _ type: Ticker.Type, _ name: String, _ title: String,
    steps: @escaping (TickerStage<Ticker>) -> [() throws -> Void]
  ) -> Ending {
    Ending(
      name, title,
      expects: .solved(
        ["Ticker": 1], tasks: ["reader": 1, "forwarder": 1], ["pricesLost": 0, "tasksLeft": 0]),
      explanation: "No task is left that waits for a value that cannot come."
    ) { lab in
      let stage = TickerStage<Ticker>(lab)
      AppWide.keep(stage.source, for: lab.ledger)
      try stage.open()
      for step in steps(stage) { try step() }
      stage.compare()
    }
  }

  // What all tickers share, such as a static property, serves the wrong one.
  private static func two<Ticker: TickerUnderStudy>(_ type: Ticker.Type) -> Ending {
    Ending(
      "two", "the first of two tickers is dropped, then the other",
      expects: .solved(
        ["Ticker": 2], tasks: ["reader": 2, "forwarder": 2], ["pricesLost": 0, "tasksLeft": 2]),
      explanation: "The end of one ticker is no business of the other."
    ) { lab in
      let (first, second) = (TickerStage<Ticker>(lab), TickerStage<Ticker>(lab))
      for stage in [first, second] {
        AppWide.keep(stage.source, for: lab.ledger)
        try stage.open()
      }
      try first.dropTicker()
      first.countTasks()
      try second.sendOneMore()
      try second.dropTicker()
      lab.ledger.setMetric("pricesLost", first.lost + second.lost)
    }
  }

  private static func unread<Ticker: TickerUnderStudy>(_ type: Ticker.Type) -> Ending {
    Ending(
      "unread", "the stream is taken and never read, then the ticker is dropped",
      expects: .solved(["Ticker": 1], tasks: ["forwarder": 1]),
      explanation: "The forwarder ends with its ticker also when nobody ever reads."
    ) { lab in
      let source = AppWide.keep(PriceSource(), for: lab.ledger)
      var (ticker, prices): (Ticker?, AsyncStream<Int>?) = (nil, nil)
      try lab.step("a ticker is created") { ticker = Ticker(source: source) }
      try lab.step("its stream is taken") { prices = ticker?.prices }
      try lab.step("the source sends a price") { source.send(Secret.number()) }
      try lab.release("the ticker is dropped") { ticker = nil }
      withExtendedLifetime((ticker, prices)) {}
    }
  }
}

/// Holds the ticker, its source and its reader, and runs the steps of the endings.
private final class TickerStage<Ticker: TickerUnderStudy> {
  private let lab: Lab
  let source = PriceSource()
  private var prices = Secret.numbers(4 + Secret.number(upTo: 20))
  private let seen = Seen<Int>()
  private var reader: Task<Void, Never>?
  private var ticker: Ticker?
  private var late = 0

  init(_ lab: Lab) { self.lab = lab }

  func open() throws {
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

  func cancelReader() throws { try lab.release("the reader is cancelled") { reader?.cancel() } }

  func finishSource() throws { try lab.release("the source finishes") { source.finish() } }

  func countTasks() { lab.ledger.setMetric("tasksLeft", lab.ledger.totals.liveTasks) }

  func compare() { lab.ledger.setMetric("pricesLost", lost) }

  var lost: Int { late + prices.count - seen.right(of: prices.map { $0 * 100 }) }

  func sendOneMore() throws {
    prices.append(Secret.number())
    try lab.step("the source sends one more price") { source.send(prices[prices.count - 1]) }
  }

  func dropTicker() throws { try lab.release("the ticker is dropped") { ticker = nil } }
}
