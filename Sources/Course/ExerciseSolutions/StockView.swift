import MemlabExercises
import MemlabKit
import MemlabPatterns

/// The view.
final class StockView: StockViewUnderStudy {
  /// The prices that it has shown, in order.
  private(set) var shown: [Int] = []
  private let bag = DisposeBag()
  private let probe = Probe(StockView.self)

  /// A view of a share's prices.
  init(exchange: Exchange) {
    exchange.prices.subscribe(
      AnyObserver { [weak self] event in
        if case .next(let price) = event { self?.shown.append(price) }
      }
    ).disposed(by: bag)
  }
}
