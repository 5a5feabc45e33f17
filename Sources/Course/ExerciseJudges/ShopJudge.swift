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

extension Exercise {
  /// Exercise 09, judging this shop.
  package static func shop<Shop: ShopUnderStudy>(_ type: Shop.Type) -> Exercise {
    Exercise(
      number: "09",
      endings: [
        ending(
          type, "pay", "a customer pays what was chosen before the checkout", checkouts: 1,
          ["badges": 4, "receiptsRight": 1, "pages": 1, "checkoutsLeft": 0]
        ) { [$0.choose, $0.checkOut, $0.chooseOneMore, $0.pay] },
        ending(type, "back", "a customer goes back without paying", checkouts: 1, nothingPaid) {
          [$0.choose, $0.checkOut, $0.goBack]
        },
        // What is done about the last checkout page is not done about the one below it.
        ending(
          type, "double", "a customer goes to the checkout twice, and back twice", checkouts: 2,
          nothingPaid
        ) { [$0.choose, $0.checkOut, $0.checkOut, $0.goBack, $0.goBack] },
        ending(
          type, "twice", "a customer goes back, chooses more, and pays", checkouts: 2,
          ["badges": 6, "receiptsRight": 1, "pages": 1, "checkoutsLeft": 0]
        ) { [$0.choose, $0.checkOut, $0.goBack, $0.choose, $0.checkOut, $0.pay] },
        // To pay empties the closure that leaks, so this one shows no leak at its end.
        ending(
          type, "late", "a customer goes back, and wants to pay after all", checkouts: 1,
          nothingPaid
        ) { [$0.choose, $0.checkOut, $0.goBack, $0.payTooLate] },
        ending(
          type, "close", "the shop closes while a customer is at the checkout", checkouts: 1,
          ["badges": 3, "receiptsRight": 0, "pages": 2, "checkoutsLeft": 1]
        ) { [$0.choose, $0.checkOut] },
        ending(
          type, "look", "a customer only looks, and leaves", checkouts: 0,
          ["badges": 3, "pages": 0, "browsersLeft": 0, "receiptsRight": 0, "checkoutsLeft": 0]
        ) { [$0.choose, $0.goBack, $0.countBrowsers] },
      ])
  }

  // The customer is back at the products, and nobody has paid.
  private static let nothingPaid: [Metric: Int] = [
    "badges": 3, "receiptsRight": 0, "pages": 1, "checkoutsLeft": 0,
  ]

  private static func ending<Shop: ShopUnderStudy>(
    _ type: Shop.Type, _ name: String, _ title: String, checkouts: Int, _ metrics: [Metric: Int],
    steps: @escaping (ShopStage<Shop>) -> [() throws -> Void]
  ) -> Ending {
    var objects = ["Shop", "Assortment", "PageRouter", "ReceiptPrinter", "Basket", "BrowsePage"]
      .map { ObjectCount($0, created: 1, deinitialized: 1) }
    if checkouts > 0 {
      objects.append(ObjectCount("CheckoutPage", created: checkouts, deinitialized: checkouts))
    }
    return Ending(
      name, title, expects: Declaration(.clean, objects: objects, metrics: metrics),
      explanation: "A page goes when it is not shown any more, and the rest with the shop."
    ) { lab in
      let stage = ShopStage<Shop>(lab)
      try stage.open()
      for step in steps(stage) { try step() }
      try stage.close()
    }
  }
}

/// A shop, and one customer.
private final class ShopStage<Shop: ShopUnderStudy> {
  private let lab: Lab
  private let names: [String]
  private let missing: String
  private let prices = Secret.numbers(3)
  private var shop: Shop?
  private var (chosen, sum, due, badges): (Int, Int, Int, Int) = (0, 0, 0, 0)
  private var expectedReceipts: [Int] = []

  init(_ lab: Lab) {
    self.lab = lab
    let words = Secret.words(4)
    (names, missing) = (Array(words.prefix(3)), words[3])
  }

  func open() throws {
    let known = Dictionary(uniqueKeysWithValues: zip(names, prices))
    try lab.step("a shop opens") { shop = Shop(prices: known) }
    try lab.step("a customer sees the products") { shop?.open() }
  }

  func choose() throws {
    try lab.step("the customer chooses three products, and one that is not there") {
      shop?.choose(missing)
      for (name, price) in zip(names, prices) {
        shop?.choose(name)
        (chosen, sum) = (chosen + 1, sum + price)
        badges += shop?.badge == chosen ? 1 : 0
      }
    }
  }

  func checkOut() throws {
    try lab.step("the customer goes to the checkout") { shop?.checkOut() }
    due = sum
  }

  // The sum is settled by then.
  func chooseOneMore() throws {
    try lab.step("the customer chooses one more, too late for this checkout") {
      shop?.choose(names[0])
      badges += shop?.badge == chosen + 1 ? 1 : 0
    }
  }

  func pay() throws {
    try lab.step("the customer pays") { shop?.pay() }
    expectedReceipts.append(due)
    if shop?.badge != 0 { badges -= 1 }
  }

  // The page that could be paid at is gone.
  func payTooLate() throws {
    try lab.step("the customer wants to pay after all") { shop?.pay() }
    if shop?.badge != chosen { badges -= 1 }
  }

  func goBack() throws { try lab.release("the customer goes back") { shop?.goBack() } }

  func countBrowsers() {
    if shop?.badge != nil { badges -= 1 }
    lab.ledger.setMetric("browsersLeft", lab.ledger.totals.object("BrowsePage").alive)
  }

  func close() throws {
    // Before the shop is asked: a question can set its pages free.
    lab.ledger.setMetric("checkoutsLeft", lab.ledger.totals.object("CheckoutPage").alive)
    let receipts = shop?.receipts ?? []
    lab.ledger.setMetric("badges", badges)
    lab.ledger.setMetric("receiptsRight", receipts.right(of: expectedReceipts))
    lab.ledger.setMetric("pages", shop?.pageCount ?? -1)
    try lab.release("the shop closes") { shop = nil }
  }
}
