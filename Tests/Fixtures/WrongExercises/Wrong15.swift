import Exercises
import MemlabKit
import Patterns

/// Wrong solutions of exercise 15.
enum Wrong15: String, Mistakes {
  case none, asShipped, onlyWeak, onlyBag, unowned, disposesAtOnce, disposesAfterOne, sharedBag,
    noView
  case keepsAll, exits, traps, noProbe, methodReference, dropsBag, swallows, constant
  case firstComesFirst, ignoresRepeats

  nonisolated(unsafe) static var now = Wrong15.none
  nonisolated(unsafe) static var everything: [StockView] = []
  nonisolated(unsafe) static var queue: [any Disposable] = []
  nonisolated(unsafe) static var bagOfAll: DisposeBag? = DisposeBag()

  static let all = solutions(
    of: .stock(StockView.self),
    [
      .asShipped: "What does the exchange hold through the closure?",
      .onlyWeak: "The subscription must be disposed of when its view is deinitialised.",
      .onlyBag: "What does the exchange hold through the closure?",
      .unowned: "the reference is weak",
      .disposesAtOnce: "A view must show every price as long as it lives.",
      .disposesAfterOne: "A view must show every price",
      .sharedBag: "The end of one view must not end the subscription of another.",
      .noView: "A view must show every price",
      .keepsAll: "held by",
      .exits: "Your code ended the process, with code 0",
      .traps: "Swift says: no view",
      .noProbe: "No StockView was counted",
      .methodReference: "What does the exchange hold through the closure?",
      .dropsBag: "A view must show every price",
      .swallows: "A view must show every price",
      .ignoresRepeats: "A view must show every price",
      .firstComesFirst: "The end of one view must not end the subscription of another.",
      .constant: "A view must show every price",
    ]
  ) { now = $0 }

  final class StockView: StockViewUnderStudy {
    private(set) var shown: [Int] = []
    private let bag = DisposeBag()
    private var subscription: (any Disposable)?
    private let probe: Probe?

    init(exchange: Exchange) {
      probe = now == .noProbe ? nil : Probe(StockView.self)
      if now == .keepsAll { everything.append(self) }
      let disposable = exchange.prices.subscribe(AnyObserver(handler))
      switch now {
      case .asShipped, .onlyWeak, .unowned, .traps: break
      case .disposesAtOnce: disposable.dispose()
      case .disposesAfterOne: subscription = disposable
      case .sharedBag:
        if bagOfAll == nil { bagOfAll = DisposeBag() }
        bagOfAll?.insert(disposable)
      case .firstComesFirst: queue.append(disposable)
      case .dropsBag: disposable.disposed(by: DisposeBag())
      default: disposable.disposed(by: bag)
      }
    }

    private var handler: (Event<Int>) -> Void {
      switch now {
      case .asShipped, .onlyBag: { self.show($0) }
      case .unowned: { [unowned self] in self.show($0) }
      case .methodReference: show
      case .noView: { _ in }
      case .traps:
        { [weak self] event in
          guard let self else { fatalError("no view") }
          self.show(event)
        }
      default: { [weak self] in self?.show($0) }
      }
    }

    private func show(_ event: Event<Int>) {
      guard case .next(let price) = event else { return }
      switch now {
      case .exits: Sabotage.leave()
      case .ignoresRepeats where shown.last == price: return
      case .swallows where shown.count == 2: return
      case .disposesAfterOne: subscription?.dispose()
      default: break
      }
      shown.append(now == .constant ? 1 : price)
    }

    deinit {
      if now == .sharedBag { bagOfAll = nil }
      if now == .firstComesFirst { queue.removeFirst().dispose() }
    }
  }
}
