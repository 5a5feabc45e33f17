import AsyncAlgorithms
import Memlab
import Synchronization

/// A stream over swift-async-algorithms: the operator's own task waits, and so does the reader's.
let debouncedPrices = Scenario(
  id: "debounced-prices",
  title: "a model that reads a debounced stream",
  fixedBy: "debounced-prices-weak",
  endings: [
    Ending("drop", "the screen is closed") { lab in
      let prices = Prices()
      @Variable("model") var model: PriceModel?
      try lab.step("a screen is opened") {
        model = PriceModel()
        model?.follow(prices)
      }
      let ledger = lab.ledger
      try lab.step("a price is sent", until: { ledger.notes(of: "price shown") == 1 }) {
        prices.send(12)
      }
      try lab.release("the screen is closed") { model = nil }
      AppWide.keep(prices, for: lab.ledger)
    }
    // The operator's own: one waits for the next price, and two for that one.
    .leaving(libraryTasks: 3),
    Ending("finish", "the stream ends, and then the screen is closed") { lab in
      let prices = Prices()
      @Variable("model") var model: PriceModel?
      try lab.step("a screen is opened") {
        model = PriceModel()
        model?.follow(prices)
      }
      try lab.step("the stream ends") { prices.finish() }
      try lab.release("the screen is closed") { model = nil }
    },
  ])

/// The fix: the loop holds the model for the length of a round, and ends with it.
let debouncedPricesWeak = Scenario(
  id: "debounced-prices-weak",
  title: "a model whose task is cancelled with it",
  endings: [
    Ending("drop", "the screen is closed") { lab in
      let prices = Prices()
      @Variable("model") var model: WeakPriceModel?
      try lab.step("a screen is opened") {
        model = WeakPriceModel()
        model?.follow(prices)
      }
      let ledger = lab.ledger
      try lab.step("a price is sent", until: { ledger.notes(of: "price shown") == 1 }) {
        prices.send(12)
      }
      try lab.release("the screen is closed") { model = nil }
      AppWide.keep(prices, for: lab.ledger)
    }
  ])

// snippet:code
final class PriceModel: Sendable {
  private let probe = Probe(PriceModel.self)
  private let last = Mutex(0)

  func follow(_ prices: Prices) {
    Task(probe: "reader") {
      for await price in prices.stream.debounce(for: .milliseconds(20)) { show(price) }
    }
  }

  private func show(_ price: Int) {
    last.withLock { $0 = price }
    Ledger.current?.note("price shown")
  }
}

final class WeakPriceModel: Sendable {
  private let probe = Probe(WeakPriceModel.self)
  private let last = Mutex(0)
  private let reader = Mutex<Task<Void, Never>?>(nil)

  func follow(_ prices: Prices) {
    let task = Task(probe: "reader") { [weak self] in
      for await price in prices.stream.debounce(for: .milliseconds(20)) { self?.show(price) }
    }
    reader.withLock { $0 = task }
  }

  deinit { reader.withLock { $0?.cancel() } }

  private func show(_ price: Int) {
    last.withLock { $0 = price }
    Ledger.current?.note("price shown")
  }
}
// snippet:end

/// Prices, as a server would send them.
final class Prices: Sendable {
  let stream: AsyncStream<Int>
  private let server: AsyncStream<Int>.Continuation

  init() { (stream, server) = AsyncStream.makeStream() }

  func send(_ price: Int) { server.yield(price) }

  func finish() { server.finish() }
}
