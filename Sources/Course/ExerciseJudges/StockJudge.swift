package import MemlabKit
package import MemlabPatterns

/// What the judge needs of a view.
package protocol StockViewUnderStudy: AnyObject, SendableMetatype {
  /// The prices that it has shown, in order.
  var shown: [Int] { get }
  /// A view of a share's prices.
  init(exchange: Exchange)
}

/// Sends the prices of a share. It lives as long as the app.
package final class Exchange {
  private let subject = PublishSubject<Int>()
  /// How many subscribers it has.
  private(set) var subscribers = 0

  /// The prices from now on.
  package var prices: Observable<Int> {
    .create { [unowned self] observer in
      subscribers += 1
      let upstream = subject.subscribe(observer)
      var isOver = false
      return Disposables.create { [unowned self] in
        if !isOver { subscribers -= 1 }
        isOver = true
        upstream.dispose()
      }
    }
  }

  /// Sends a price.
  func send(_ price: Int) { subject.onNext(price) }
}

extension Exercise {
  /// Exercise 15, judging this view.
  package static func stock<View: StockViewUnderStudy>(_ type: View.Type) -> Exercise {
    Exercise(
      number: "15", title: "a view that never leaves the exchange",
      lesson: "05-reactors-and-weak-tables", file: "15-stock/StockView.swift",
      hint: "Two things are missing. The subscription holds its closure, and the closure uses "
        + "self. And to drop a Disposable ends nothing, unlike Combine's AnyCancellable. 'memlab "
        + "walk reactor-dispose-bag' shows a bag at work.",
      secondHint: "Keep a DisposeBag in a property, call disposed(by:) on what subscribe returns, "
        + "and give the closure [weak self]. One of the two alone is not enough: with the bag only, "
        + "self is held and the bag never dies; with weak only, the subscription stays.",
      figures: [
        "pricesLost": "is how many prices the view has not shown in their order.",
        "subscribers": "is how many subscribers the exchange has when the views are gone.",
        "othersLost":
          "is how many prices the two views that stay have not shown in their order.",
      ],
      advice: [
        "pricesLost": "A view must show every price as long as it lives.",
        "subscribers": "The subscription must be disposed of when its view is deinitialised.",
        "othersLost": "The end of one view must not end the subscription of another.",
        "StockView": "What does the exchange hold through the closure?",
      ],
      endings: [
        Ending(
          "drop", "many prices are sent, then the view is dropped",
          expects: solved(1, ["pricesLost": 0, "subscribers": 0]),
          explanation: "The bag goes with its view, and disposes of the subscription."
        ) { try drop(type, $0) },
        Ending(
          "three", "one of three views is dropped, then the others",
          expects: solved(3, ["othersLost": 0, "subscribers": 0]),
          explanation: "Each view has a bag of its own."
        ) { try dropThree(type, $0) },
        Ending(
          "after", "the view is dropped, and a price is sent",
          expects: solved(1, ["subscribers": 0]), explanation: "Nobody is there to show it."
        ) { try sendAfter(type, $0) },
      ])
  }

  private static func drop<View: StockViewUnderStudy>(_ type: View.Type, _ lab: Lab) throws {
    let exchange = AppWide.keep(Exchange(), for: lab.ledger)
    var view: View?
    let prices = manyPrices()
    try lab.step("a view is shown") { view = View(exchange: exchange) }
    try lab.step("many prices are sent") { prices.forEach(exchange.send) }
    lab.ledger.setMetric("pricesLost", lost(view, prices))
    try lab.release("the view is dropped") { view = nil }
    lab.ledger.setMetric("subscribers", exchange.subscribers)
    withExtendedLifetime(view) {}
  }

  // The third is at another exchange: what views share has the prices of both.
  private static func dropThree<View: StockViewUnderStudy>(_ type: View.Type, _ lab: Lab) throws {
    let exchanges = (0..<2).map { _ in AppWide.keep(Exchange(), for: lab.ledger) }
    var views: [View] = []
    let prices = exchanges.map { _ in manyPrices() }
    try lab.step("two views of one share are shown, and one of another") {
      views = [0, 0, 1].map { View(exchange: exchanges[$0]) }
    }
    try lab.step("two prices of each are sent") {
      for place in 0..<2 {
        for (exchange, prices) in zip(exchanges, prices) { exchange.send(prices[place]) }
      }
    }
    try lab.release("the second view is dropped") { _ = views.remove(at: 1) }
    try lab.step("many more are sent") {
      for (exchange, prices) in zip(exchanges, prices) {
        prices.dropFirst(2).forEach(exchange.send)
      }
    }
    lab.ledger.setMetric("othersLost", zip(views, prices).reduce(0) { $0 + lost($1.0, $1.1) })
    try lab.release("the other views are dropped") { views = [] }
    lab.ledger.setMetric("subscribers", exchanges.reduce(0) { $0 + $1.subscribers })
  }

  private static func sendAfter<View: StockViewUnderStudy>(_ type: View.Type, _ lab: Lab) throws {
    let exchange = AppWide.keep(Exchange(), for: lab.ledger)
    var view: View?
    try lab.step("a view is shown") { view = View(exchange: exchange) }
    try lab.release("the view is dropped") { view = nil }
    try lab.step("a price is sent") { exchange.send(Secret.number()) }
    lab.ledger.setMetric("subscribers", exchange.subscribers)
    withExtendedLifetime(view) {}
  }

  // Nobody knows how many, and a price may be the same as the one before it.
  private static func manyPrices() -> [Int] {
    let prices = Secret.numbers(5 + Secret.number(upTo: 10))
    return [prices[0]] + prices + prices.suffix(1)
  }

  private static func lost<View: StockViewUnderStudy>(_ view: View?, _ prices: [Int]) -> Int {
    prices.count - (view?.shown ?? []).right(of: prices)
  }

  private static func solved(_ views: Int, _ metrics: [Metric: Int]) -> Declaration {
    Declaration(
      .clean, objects: [ObjectCount("StockView", created: views, deinitialized: views)],
      metrics: metrics)
  }
}
