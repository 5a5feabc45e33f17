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

/// Exercise 15: a view of prices.
package enum StockJudge<View: StockViewUnderStudy>: Judge {
  /// The endings of the exercise.
  package static var endings: [Ending] {
    let observers = ObserverEndings(
      type: "StockView", name: "view",
      words: (
        made: "a view is shown", threeMade: "two views of one share are shown, and one of another",
        many: "many prices are sent", two: "two prices of each are sent",
        more: "many more are sent", one: "a price is sent"
      ), figures: ("pricesLost", "subscribers"), source: { Exchange() },
      observer: { View(exchange: $0) }, values: manyPrices, send: { $0.send($1) },
      received: { $0.shown }, count: { $0.subscribers })
    return observers.endings
  }

  // Nobody knows how many, and a price may be the same as the one before it.
  @Sendable private static func manyPrices() -> [Int] {
    let prices = Secret.numbers(5 + Secret.number(upTo: 10))
    return [prices[0]] + prices + prices.suffix(1)
  }
}
