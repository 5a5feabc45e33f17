import MemlabExercises
import MemlabKit
import MemlabPatterns

/// Wrong solutions of exercise 15.
enum Wrong15: String, Mistakes {
  case none, asShipped, onlyWeak, onlyBag, unowned, disposesAtOnce, disposesAfterOne, sharedBag
  case noView, keepsAll, exits, traps, noProbe, methodReference, dropsBag, swallows, constant
  case firstComesFirst, ignoresRepeats, atNextPrice, stopsAfterSix, capturesBag, hidesCycle
  case sharesPrices, keepsSubscriptions, disposesLate, disposesInDeinit, guardsSelf, unownedAndBag
  case bagOfItsOwn

  nonisolated(unsafe) static var everything: [StockView] = []
  nonisolated(unsafe) static var queue: [any Disposable] = []
  nonisolated(unsafe) static var prices: [Int] = []
  nonisolated(unsafe) static var hasFirst = false
  nonisolated(unsafe) static var bags: [ObjectIdentifier: DisposeBag] = [:]
  nonisolated(unsafe) static var bagOfAll: DisposeBag? = DisposeBag()

  static let all = solutions(
    of: StockJudge<StockView>.exercise,
    [
      "What does the exchange hold through the closure?": [.asShipped, .onlyBag, .methodReference],
      "The subscription must be disposed of when its view is deinitialised.": [
        .onlyWeak, .atNextPrice, .capturesBag,
      ],
      "the reference is weak": [.unowned],
      "A view must show every price as long as it lives.": [.disposesAtOnce],
      "A view must show every price": [
        .disposesAfterOne, .noView, .dropsBag, .swallows, .ignoresRepeats, .constant,
        .stopsAfterSix,
      ],
      "The end of one view must not end the subscription of another.": [
        .sharedBag, .firstComesFirst, .sharesPrices,
      ],
      "Swift says: no view": [.traps],
      "No StockView was counted": [.noProbe],
      "of memory stay": [.keepsSubscriptions],
      "Nothing in this exercise takes time": [.disposesLate],
    ], right: [.disposesInDeinit, .guardsSelf, .unownedAndBag, .bagOfItsOwn])

  final class StockView: StockViewUnderStudy {
    private var own: [Int] = []
    var shown: [Int] { now == .sharesPrices ? prices : own }
    private let presenter = Presenter()
    private var isFirst = false
    private let bag = DisposeBag()
    private var subscription: (any Disposable)?
    private let probe = makeProbe(of: StockView.self)

    init(exchange: Exchange) {
      if now == .keepsAll { everything.append(self) }
      if now == .sharesPrices {
        isFirst = !hasFirst
        hasFirst = true
      }
      if now == .hidesCycle { presenter.onPrice = { [presenter] in presenter.count += $0 } }
      let disposable = exchange.prices.subscribe(AnyObserver(handler))
      switch now {
      case .asShipped, .onlyWeak, .unowned, .traps: break
      case .disposesAtOnce: disposable.dispose()
      case .sharedBag:
        if bagOfAll == nil { bagOfAll = DisposeBag() }
        bagOfAll?.insert(disposable)
      case .disposesAfterOne, .atNextPrice, .disposesInDeinit, .disposesLate:
        subscription = disposable
      case .keepsSubscriptions:
        queue.append(disposable)
        disposable.disposed(by: bag)
      case .bagOfItsOwn:
        let bag = DisposeBag()
        disposable.disposed(by: bag)
        bags[ObjectIdentifier(self)] = bag
      case .firstComesFirst: queue.append(disposable)
      case .dropsBag: disposable.disposed(by: DisposeBag())
      default: disposable.disposed(by: bag)
      }
    }

    private var handler: (Event<Int>) -> Void {
      switch now {
      case .asShipped, .onlyBag: { self.show($0) }
      case .unowned, .unownedAndBag: { [unowned self] in self.show($0) }
      case .methodReference: show
      case .capturesBag:
        { [weak self, bag] in
          self?.show($0)
          withExtendedLifetime(bag) {}
        }
      case .guardsSelf:
        { [weak self] in
          guard let self else { return }
          self.show($0)
        }
      case .atNextPrice: Self.stopping(self)
      case .noView: { _ in }
      case .traps:
        { [weak self] event in
          guard let self else { fatalError("no view") }
          self.show(event)
        }
      default: { [weak self] in self?.show($0) }
      }
    }

    private static func stopping(_ view: StockView) -> (Event<Int>) -> Void {
      var last: (any Disposable)?
      return { [weak view] event in
        guard let view else { return last?.dispose() ?? () }
        last = view.subscription
        view.show(event)
      }
    }

    private func show(_ event: Event<Int>) {
      guard case .next(let price) = event else { return }
      switch now {
      case .exits: Sabotage.leave()
      case .ignoresRepeats where shown.last == price: return
      case .stopsAfterSix where shown.count == 6: return
      case .sharesPrices: if isFirst { prices.append(price) }
      case .hidesCycle: presenter.onPrice?(price)
      case .swallows where shown.count == 2: return
      case .disposesAfterOne: subscription?.dispose()
      default: break
      }
      own.append(now == .constant ? 1 : price)
    }

    private final class Presenter {
      var count = 0
      var onPrice: ((Int) -> Void)?
    }

    deinit {
      if now == .sharedBag { bagOfAll = nil }
      switch now {
      case .firstComesFirst: queue.removeFirst().dispose()
      case .disposesInDeinit: subscription?.dispose()
      case .bagOfItsOwn: bags[ObjectIdentifier(self)] = nil
      case .disposesLate:
        Task { [subscription] in
          try? await Task.sleep(for: .seconds(1))
          subscription?.dispose()
        }
      default: break
      }
    }
  }
}
