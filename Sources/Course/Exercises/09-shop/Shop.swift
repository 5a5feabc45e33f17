// This shop leaks: customers who go to the checkout and do not pay leave something behind. Find out
// what and why, as you would in your own project, and fix it. Everything that the shop does must
// work as before.

import MemlabKit

// MARK: - What is sold

/// Something to buy.
struct Product: Equatable {
  /// Its name.
  let name: String
  /// Its price, in cents.
  let price: Int
}

/// All products, by name.
final class Assortment {
  private var products: [String: Product] = [:]
  private let probe = Probe(Assortment.self)

  /// An assortment with these prices.
  init(prices: [String: Int]) {
    for (name, price) in prices { products[name] = Product(name: name, price: price) }
  }

  /// The product of this name.
  func product(named name: String) -> Product? { products[name] }
}

// MARK: - The basket

/// What a customer has chosen.
final class Basket {
  private(set) var products: [Product] = []
  private var observers: [Int: (Int) -> Void] = [:]
  private var lastToken = 0
  private let probe = Probe(Basket.self)

  /// The sum of the prices, in cents.
  var total: Int { products.reduce(0) { $0 + $1.price } }

  /// Puts something in.
  func add(_ product: Product) {
    products.append(product)
    notify()
  }

  /// Takes everything out.
  func clear() {
    products = []
    notify()
  }

  /// Calls a closure with the number of products, now and each time it changes.
  ///
  /// - Returns: what `removeObserver(_:)` takes.
  func observe(_ body: @escaping (Int) -> Void) -> Int {
    lastToken += 1
    observers[lastToken] = body
    body(products.count)
    return lastToken
  }

  /// Calls that closure no more.
  func removeObserver(_ token: Int) { observers[token] = nil }

  private func notify() {
    for body in observers.values { body(products.count) }
  }
}

// MARK: - Screens

/// Something that the router can show.
class Page {
  /// The router that shows it; nil while it is not shown.
  weak var router: PageRouter?

  /// Called when the page is shown.
  func didAppear() {}

  /// Called when the page is taken away.
  func didDisappear() {}
}

/// Shows one page above another.
final class PageRouter {
  private(set) var pages: [Page] = []
  private let probe = Probe(PageRouter.self)

  /// Shows a page above all others.
  func push(_ page: Page) {
    pages.append(page)
    page.router = self
    page.didAppear()
  }

  /// Takes the top page away.
  func pop() {
    guard let page = pages.popLast() else { return }
    page.router = nil
    page.didDisappear()
  }
}

/// The page with the products.
final class BrowsePage: Page {
  /// The number on the basket.
  private(set) var badge = 0
  private let basket: Basket
  private let assortment: Assortment
  private var token: Int?
  private let probe = Probe(BrowsePage.self)

  /// A page for this basket.
  init(basket: Basket, assortment: Assortment) {
    self.basket = basket
    self.assortment = assortment
  }

  override func didAppear() {
    token = basket.observe { [weak self] count in self?.badge = count }
  }

  override func didDisappear() {
    if let token { basket.removeObserver(token) }
    token = nil
  }

  /// Puts a product into the basket.
  func choose(_ name: String) {
    if let product = assortment.product(named: name) { basket.add(product) }
  }

  /// Goes to the checkout.
  func checkOut(receipts: ReceiptPrinter) -> CheckoutPage {
    let checkout = CheckoutPage(total: basket.total)
    checkout.onPaid = { [basket] in
      receipts.print(checkout.total)
      basket.clear()
      checkout.close()
    }
    router?.push(checkout)
    return checkout
  }
}

/// The page where the customer pays.
final class CheckoutPage: Page {
  /// What is to be paid, in cents.
  let total: Int
  /// What is done when the customer has paid.
  var onPaid: (() -> Void)?
  private let probe = Probe(CheckoutPage.self)

  /// A page for this sum.
  init(total: Int) { self.total = total }

  /// Plays the customer's card.
  func pay() {
    onPaid?()
    onPaid = nil
  }

  /// Leaves the page.
  func close() { router?.pop() }
}

/// Prints receipts.
final class ReceiptPrinter {
  /// The sums that were printed, in order.
  private(set) var printed: [Int] = []
  private let probe = Probe(ReceiptPrinter.self)

  /// Prints a receipt.
  func print(_ total: Int) { printed.append(total) }
}

// MARK: - The shop

/// The shop: a basket, and pages that show it.
final class Shop: ShopUnderStudy {
  private let assortment: Assortment
  private let basket = Basket()
  private let router = PageRouter()
  private let printer = ReceiptPrinter()
  private weak var browsePage: BrowsePage?
  private weak var checkoutPage: CheckoutPage?
  private let probe = Probe(Shop.self)

  /// A shop with these prices.
  init(prices: [String: Int]) { assortment = Assortment(prices: prices) }

  /// The number on the basket; nil when the products are not shown.
  var badge: Int? { browsePage?.badge }
  /// The sums of the receipts, in order.
  var receipts: [Int] { printer.printed }
  /// How many pages are shown.
  var pageCount: Int { router.pages.count }

  /// Shows the products.
  func open() {
    let page = BrowsePage(basket: basket, assortment: assortment)
    router.push(page)
    browsePage = page
  }

  /// Puts a product into the basket.
  func choose(_ name: String) { browsePage?.choose(name) }

  /// Goes to the checkout.
  func checkOut() { checkoutPage = browsePage?.checkOut(receipts: printer) }

  /// Pays at the checkout.
  func pay() { checkoutPage?.pay() }

  /// Goes one page back.
  func goBack() { router.pop() }
}
