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
    let observers = ObserverEndings(
      type: "StockView", figures: ("pricesLost", "subscribers"), source: { Exchange() },
      observer: { View(exchange: $0) }, values: manyPrices, send: { $0.send($1) },
      received: { $0.shown }, count: { $0.subscribers })
    return Exercise(
      number: "15",
      endings: [
        observers.drop(
          "many prices are sent, then the view is dropped",
          steps: ["a view is shown", "many prices are sent", "the view is dropped"],
          explanation: "The bag goes with its view, and disposes of the subscription."),
        observers.three(
          "one of three views is dropped, then the others",
          steps: [
            "two views of one share are shown, and one of another", "two prices of each are sent",
            "the second view is dropped", "many more are sent", "the other views are dropped",
          ], explanation: "Each view has a bag of its own."),
        observers.after(
          "the view is dropped, and a price is sent",
          steps: ["a view is shown", "the view is dropped", "a price is sent"],
          explanation: "Nobody is there to show it."),
      ])
  }

  // Nobody knows how many, and a price may be the same as the one before it.
  @Sendable private static func manyPrices() -> [Int] {
    let prices = Secret.numbers(5 + Secret.number(upTo: 10))
    return [prices[0]] + prices + prices.suffix(1)
  }
}
