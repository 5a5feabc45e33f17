package import MemlabKit

/// What the judge needs of a shop.
package protocol ShopUnderStudy: AnyObject {
  /// A shop with these prices.
  init(prices: [String: Int])
  /// The number on the basket; nil when the products are not shown.
  var badge: Int? { get }
  /// The sums of the receipts, in order.
  var receipts: [Int] { get }
  /// How many pages are shown.
  var pageCount: Int { get }
  /// Shows the products.
  func open()
  /// Puts a product into the basket.
  func choose(_ name: String)
  /// Goes to the checkout.
  func checkOut()
  /// Pays at the checkout.
  func pay()
  /// Goes one page back.
  func goBack()
}

/// Exercise 09: a shop, and one customer.
package final class ShopJudge<Shop: ShopUnderStudy>: JudgeStage, Judge {
  // One more than there are prices: the last is of no product.
  private let names = Secret.words(4)
  private let prices = Secret.numbers(3)
  private var shop: Shop?
  private var (chosen, sum, due, badges): (Int, Int, Int, Int) = (0, 0, 0, 0)
  private var expectedReceipts: [Int] = []

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("pay", badges: 4, receipts: 1) { [$0.choose, $0.checkOut, $0.chooseOneMore, $0.pay] }
    ending("back") { [$0.choose, $0.checkOut, $0.goBack] }
    // What is done about the last checkout page is not done about the one below it.
    ending("double", checkouts: 2) { [$0.choose, $0.checkOut, $0.checkOut, $0.goBack, $0.goBack] }
    ending("twice", checkouts: 2, badges: 6, receipts: 1) {
      [$0.choose, $0.checkOut, $0.goBack, $0.choose, $0.checkOut, $0.pay]
    }
    // To pay empties the closure that leaks, so this one shows no leak at its end.
    ending("late") { [$0.choose, $0.checkOut, $0.goBack, $0.payTooLate] }
    ending("close", pages: 2, left: 1) { [$0.choose, $0.checkOut] }
    ending("look", checkouts: 0, pages: 0, ["browsersLeft": 0]) {
      [$0.choose, $0.goBack, $0.countBrowsers]
    }
  }

  private static func ending(
    _ name: String, checkouts: Int = 1, badges: Int = 3, receipts: Int = 0, pages: Int = 1,
    left: Int = 0, _ more: [Metric: Int] = [:], steps: @escaping Steps<ShopJudge>
  ) -> Ending {
    let figures: [Metric: Int] = [
      "badges": badges, "receiptsRight": receipts, "pages": pages, "checkoutsLeft": left,
    ]
    let objects: KeyValuePairs = [
      "Shop": 1, "Assortment": 1, "PageRouter": 1, "ReceiptPrinter": 1, "Basket": 1,
      "BrowsePage": 1, "CheckoutPage": checkouts,
    ]
    return Ending(name, objects, figures: figures.merging(more) { $1 }, on: ShopJudge.init) {
      [$0.open] + steps($0) + [$0.close]
    }
  }

  private func open() throws {
    let known = Dictionary(uniqueKeysWithValues: zip(names, prices))
    try lab.step("a shop opens") { shop = Shop(prices: known) }
    try lab.step("a customer sees the products") { shop?.open() }
  }

  private func choose() throws {
    try lab.step("the customer chooses three products, and one that is not there") {
      shop?.choose(names[3])
      for (name, price) in zip(names, prices) {
        shop?.choose(name)
        (chosen, sum) = (chosen + 1, sum + price)
        badges += shop?.badge == chosen ? 1 : 0
      }
    }
  }

  private func checkOut() throws {
    try lab.step("the customer goes to the checkout") { shop?.checkOut() }
    due = sum
  }

  // The sum is settled by then.
  private func chooseOneMore() throws {
    try lab.step("the customer chooses one more, too late for this checkout") {
      shop?.choose(names[0])
      badges += shop?.badge == chosen + 1 ? 1 : 0
    }
  }

  private func pay() throws {
    try lab.step("the customer pays") { shop?.pay() }
    expectedReceipts.append(due)
    if shop?.badge != 0 { badges -= 1 }
  }

  // The page that could be paid at is gone.
  private func payTooLate() throws {
    try lab.step("the customer wants to pay after all") { shop?.pay() }
    if shop?.badge != chosen { badges -= 1 }
  }

  private func goBack() throws { try lab.release("the customer goes back") { shop?.goBack() } }

  private func countBrowsers() {
    if shop?.badge != nil { badges -= 1 }
    lab.ledger.setMetric("browsersLeft", lab.ledger.totals.object("BrowsePage").alive)
  }

  private func close() throws {
    // Before the shop is asked: a question can set its pages free.
    lab.ledger.setMetric("checkoutsLeft", lab.ledger.totals.object("CheckoutPage").alive)
    let receipts = shop?.receipts ?? []
    lab.ledger.setMetrics([
      "badges": badges, "receiptsRight": receipts.right(of: expectedReceipts),
      "pages": shop?.pageCount ?? -1,
    ])
    try lab.release("the shop closes") { shop = nil }
  }
}
