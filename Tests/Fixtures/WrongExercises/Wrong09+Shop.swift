import MemlabExercises
import MemlabKit

extension Wrong09 {
  /// The shop, which some mistakes are made in.
  final class Shop: ShopUnderStudy {
    private let assortment: Assortment
    private let basket = Basket()
    private let router = PageRouter()
    private let printer = ReceiptPrinter()
    private weak var browsePage: BrowsePage?
    private weak var checkoutPage: CheckoutPage?
    private var lastTotal: Int?
    private let probe = Probe(Shop.self)

    init(prices: [String: Int]) { assortment = Assortment(prices: prices) }

    var badge: Int? { now == .badgeWithoutPage ? basket.products.count : browsePage?.badge }
    var receipts: [Int] {
      if now == .repairsWhenAsked { checkoutPage?.onPaid = nil }
      return printer.printed
    }
    var pageCount: Int { router.pages.count }

    func open() {
      let page = BrowsePage(basket: basket, assortment: assortment)
      router.push(page)
      browsePage = page
    }

    func choose(_ name: String) { browsePage?.choose(name) }

    func checkOut() {
      checkoutPage = browsePage?.checkOut(receipts: printer)
      lastTotal = checkoutPage?.total
    }

    func pay() {
      if now == .paysTwice { printer.print(1) }
      if now == .paysAnyway, let lastTotal, checkoutPage == nil {
        printer.print(lastTotal)
        basket.clear()
      }
      checkoutPage?.pay()
    }

    func goBack() {
      if now == .neverPops { return }
      if now == .clearsInShop { checkoutPage?.onPaid = nil }
      if now == .traps, checkoutPage != nil { fatalError("pay first") }
      router.pop()
    }

    deinit { if now == .clearsInShop { checkoutPage?.onPaid = nil } }
  }
}
