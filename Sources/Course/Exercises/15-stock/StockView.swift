// A view shows the price of a share. The exchange that sends the prices lives as long as the app, and
// so does each view that was ever shown. Fix it so that a view is deinitialised when it is dropped,
// and so that the exchange has no subscriber left then. (`Patterns` has a bag for disposables.)

import MemlabKit
import MemlabPatterns

/// The view.
final class StockView: StockViewUnderStudy {
  /// The prices that it has shown, in order.
  private(set) var shown: [Int] = []
  private let probe = Probe(StockView.self)

  /// A view of a share's prices.
  init(exchange: Exchange) {
    _ = exchange.prices.subscribe(
      AnyObserver { event in
        if case .next(let price) = event { self.shown.append(price) }
      })
  }
}
