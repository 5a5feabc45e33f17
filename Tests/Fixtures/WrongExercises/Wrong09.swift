import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 09.
enum Wrong09: String, Mistakes {
  case none, asShipped, clearsInClose, clearsInDeinit, deletesFeature, noReceipt, keepsBasket
  case staysOpen, printsZero, exits, showsNothing, keepsAll, noBadge, swapsLeak, keepsPages, noProbe
  case dropsProbe, neverPops, traps, paysTwice, clearsWhenGone, sumAtPay, paysAnyway, clearsInShop
  case repairsWhenAsked, badgeWithoutPage, staticReceipts, trapsOnUnknown, unownedCheckout
  case passesPage, routerClears, delegates

  nonisolated(unsafe) static var everything: [Page] = []
  nonisolated(unsafe) static var sums: [Int] = []

  static let all = solutions(
    of: ShopJudge<Shop>.exercise,
    [
      "A checkout that the customer has left must not stay.": [
        .asShipped, .clearsInClose, .clearsInDeinit, .keepsAll, .clearsInShop, .repairsWhenAsked,
      ],
      "Who pays gets a receipt with the sum": [
        .deletesFeature, .noReceipt, .printsZero, .showsNothing, .sumAtPay, .paysTwice, .paysAnyway,
      ],
      "The page must go on showing how many products are in the basket.": [
        .keepsBasket, .badgeWithoutPage,
      ],
      "Pages come and go as before.": [.staysOpen, .neverPops],
      "The page must go on showing how many products": [.noBadge],
      "BrowsePage is still alive": [.swapsLeak],
      "A page that is not shown any more must not stay.": [.keepsPages],
      "No CheckoutPage was counted": [.noProbe],
      "Swift says: pay first": [.traps],
      "Which closure does it store, and what does that closure use?": [.clearsWhenGone],
      "What did the first run leave in a static property": [.staticReceipts],
      "the code has crashed": [.trapsOnUnknown],
    ], right: [.unownedCheckout, .passesPage, .routerClears, .delegates])

  struct Product: Equatable {
    let name: String
    let price: Int
  }

  final class Assortment {
    private var products: [String: Product] = [:]
    private let probe = Probe(Assortment.self)

    init(prices: [String: Int]) {
      for (name, price) in prices { products[name] = Product(name: name, price: price) }
    }

    func product(named name: String) -> Product? { products[name] }
  }

  final class Basket {
    private(set) var products: [Product] = []
    private var observers: [Int: (Int) -> Void] = [:]
    private var lastToken = 0
    private let probe = Probe(Basket.self)

    var total: Int { products.reduce(0) { $0 + $1.price } }

    func add(_ product: Product) {
      products.append(product)
      notify()
    }

    func clear() {
      products = []
      notify()
    }

    func observe(_ body: @escaping (Int) -> Void) -> Int {
      lastToken += 1
      observers[lastToken] = body
      body(products.count)
      return lastToken
    }

    func removeObserver(_ token: Int) { observers[token] = nil }

    private func notify() { for body in observers.values { body(products.count) } }
  }

  class Page {
    weak var router: PageRouter?

    func didAppear() {}

    func didDisappear() {}
  }

  final class PageRouter {
    private(set) var pages: [Page] = []
    private let probe = Probe(PageRouter.self)

    func push(_ page: Page) {
      pages.append(page)
      page.router = self
      page.didAppear()
    }

    func pop() {
      guard let page = pages.popLast() else { return }
      page.router = nil
      if now == .keepsPages { everything.append(page) }
      page.didDisappear()
    }

    deinit { if now == .routerClears { while !pages.isEmpty { pop() } } }
  }

  final class BrowsePage: Page {
    private(set) var badge = 0
    private let basket: Basket
    private let assortment: Assortment
    private var token: Int?
    private let probe = Probe(BrowsePage.self)

    init(basket: Basket, assortment: Assortment) {
      (self.basket, self.assortment) = (basket, assortment)
    }

    override func didAppear() {
      if now == .noBadge { return }
      token = basket.observe(
        now == .swapsLeak ? { self.badge = $0 } : { [weak self] in self?.badge = $0 })
    }

    override func didDisappear() {
      if let token, now != .swapsLeak { basket.removeObserver(token) }
      token = nil
    }

    func choose(_ name: String) {
      if now == .trapsOnUnknown { return basket.add(assortment.product(named: name)!) }
      if let product = assortment.product(named: name) { basket.add(product) }
    }

    func finish(_ checkout: CheckoutPage) {
      checkout.receipts?.print(checkout.total)
      basket.clear()
      checkout.close()
    }

    func checkOut(receipts: ReceiptPrinter) -> CheckoutPage {
      let total = basket.total
      let checkout = CheckoutPage(total: total)
      switch now {
      case .unownedCheckout:
        checkout.onPaid = { [basket, unowned checkout] in
          receipts.print(checkout.total)
          basket.clear()
          checkout.close()
        }
      case .passesPage:
        checkout.onPaidBy = { [basket] checkout in
          receipts.print(checkout.total)
          basket.clear()
          checkout.close()
        }
      case .delegates: (checkout.opener, checkout.receipts) = (self, receipts)
      case .asShipped, .clearsInClose, .dropsProbe, .clearsInDeinit, .clearsWhenGone,
        .clearsInShop, .repairsWhenAsked, .routerClears:
        checkout.onPaid = { [basket] in
          receipts.print(checkout.total)
          basket.clear()
          checkout.close()
        }
      case .deletesFeature: break
      case .exits: Sabotage.leave()
      case .showsNothing: return checkout
      default:
        checkout.onPaid = { [basket, weak checkout] in
          let sum = now == .printsZero ? 0 : now == .sumAtPay ? basket.total : total
          if now != .noReceipt { receipts.print(sum) }
          if now != .keepsBasket { basket.clear() }
          if now != .staysOpen { checkout?.close() }
        }
      }
      if now == .keepsAll { everything.append(checkout) }
      router?.push(checkout)
      return checkout
    }
  }

  final class CheckoutPage: Page {
    let total: Int
    var onPaid: (() -> Void)?
    var onPaidBy: ((CheckoutPage) -> Void)?
    weak var opener: BrowsePage?
    weak var receipts: ReceiptPrinter?
    private let probe = makeProbe(of: CheckoutPage.self)

    init(total: Int) { self.total = total }

    func pay() {
      onPaidBy?(self)
      opener?.finish(self)
      onPaid?()
      onPaid = nil
    }

    func close() {
      if now == .clearsInClose { onPaid = nil }
      router?.pop()
    }

    override func didDisappear() {
      if now == .clearsWhenGone || now == .routerClears { onPaid = nil }
    }

    deinit { if now == .clearsInDeinit { onPaid = nil } }
  }

  final class ReceiptPrinter {
    private var own: [Int] = []
    var printed: [Int] { now == .staticReceipts ? sums : own }
    private let probe = Probe(ReceiptPrinter.self)

    func print(_ total: Int) {
      if now == .staticReceipts { sums.append(total) }
      own.append(total)
    }
  }
}
