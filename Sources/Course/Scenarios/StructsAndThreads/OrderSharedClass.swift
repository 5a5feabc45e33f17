import MemlabKit

extension Scenario {
  /// `order-shared-class`: items as structs, one order as a class.
  static let orderSharedClass = Scenario(
    id: "order-shared-class", title: "items as structs, one order as a class",
    document: .structsAndThreads, place: "ShoppingItem and Order",
    lesson: "06-a-struct-is-not-a-lock",
    question: "The product page and the cart each put an item into the order. What does the "
      + "checkout charge?",
    hint: "How many orders are there?",
    beliefs: [.variable("Two variables refer to the order.")],
    next: "calendar-weak-delegate", fixedBy: "struct-lock",
    endings: [
      Ending(
        "class", "page and cart share one order",
        expects: order(.clean, orders: 1, added: 2, charged: 2, total: 30),
        explanation: "Both hold the same object, so the checkout finds what each of them has "
          + "added. That is what a class is for: sharing instead of copying.",
        run: OrderSharedClass.shared
      )
      .claiming(
        "a class is right where one shopping list is to be shared",
        original: "하나의 쇼핑목록을 공유하는 차원에서 Class로 정의하는 것이 좋다"
      ) { $0.metric("totalCharged") == 30 },
      Ending(
        "struct", "page and cart have a copy of the order each",
        expects: order(.split, orders: 0, added: 2, charged: 1, total: 20),
        explanation: "Each has put its item into its own order, and the checkout got the cart's. "
          + "There is no race and no leak, but the bill is too low by ten.",
        judge: Verdict.split(unlessEqual: "itemsCharged", "itemsAdded"),
        run: OrderSharedClass.copied
      )
      .claiming(
        "if Order worked as a value, one app could have lists with different items",
        original: "하나의 앱에서 서로다른 Item들이 shoppingItem이 담겨있을 수 있기 때문에"
      ) { $0.metric("itemsCharged") < $0.metric("itemsAdded") },
      Ending(
        "threads", "ten threads put an item each into the one order",
        expects: order(.race, orders: 1, added: 10, charged: 1, total: 10, lost: 9),
        explanation: "The items are values and cannot change, but nine of them are lost: the "
          + "threads share the array. Shared is not the same as safe.",
        run: OrderSharedClass.threads
      )
      .asking(
        "Ten threads put an item each into the one order. How many does the checkout charge?"),
    ])

  private static func order(
    _ verdict: Verdict, orders: Int, added: Int, charged: Int, total: Int, lost: Int? = nil
  ) -> Declaration {
    .one(
      verdict, orders == 0 ? [:] : ["Order": nil],
      metrics: [
        "itemsAdded": added, "itemsCharged": charged, "totalCharged": total, .lostUpdates: lost,
      ])
  }
}

/// The document's shop.
enum OrderSharedClass {
  // snippet:code
  struct ShoppingItem {
    let itemName: String
    let price: Double
    let aisle: Int
  }

  class Order {
    @Held var shoppingItems: [ShoppingItem]
    private let probe = Probe(Order.self)

    init(writers: Int = 1) {
      _shoppingItems = Held([], writers: writers)
    }

    func totalOrder() -> Double {
      let prices = shoppingItems.map { $0.price }
      let price = prices.reduce(0.0, +)
      return price
    }
  }
  // snippet:end

  /// The order as a struct.
  struct CopiedOrder {
    /// The items in the order.
    var shoppingItems: [ShoppingItem] = []

    /// The sum of the prices.
    func totalOrder() -> Double { shoppingItems.map { $0.price }.reduce(0.0, +) }
  }

  private static let bread = ShoppingItem(itemName: "bread", price: 10, aisle: 1)
  private static let cheese = ShoppingItem(itemName: "cheese", price: 20, aisle: 2)

  /// Page and cart share one order.
  @Sendable static func shared(_ lab: Lab) throws {
    @Variable("page") var page: Order?
    @Variable("cart") var cart: Order?
    try lab.step("an order is created") {
      page = Order()
      cart = page
    }
    try add("the page adds bread", lab) { page?.shoppingItems.append(bread) }
    try add("the cart adds cheese", lab) { cart?.shoppingItems.append(cheese) }
    enter(cart?.shoppingItems.count, cart?.totalOrder(), of: 2, into: lab)
    try lab.release("page and cart are dropped") { (page, cart) = (nil, nil) }
  }

  /// Page and cart each have a copy of the order.
  @Sendable static func copied(_ lab: Lab) throws {
    var page = CopiedOrder()
    var cart = page
    try add("the page adds bread", lab) { page.shoppingItems.append(bread) }
    try add("the cart adds cheese", lab) { cart.shoppingItems.append(cheese) }
    enter(cart.shoppingItems.count, cart.totalOrder(), of: 2, into: lab)
  }

  /// Ten threads each add an item to one order.
  @Sendable static func threads(_ lab: Lab) throws {
    @Variable("order") var order: Order?
    try lab.step("an order is created") { order = Order(writers: 10) }
    try lab.onThreads(10, "ten threads add bread", with: order!, noting: "items added:") {
      $0.shoppingItems.append(bread)
    }
    let items = order?.shoppingItems.count ?? 0
    enter(items, order?.totalOrder(), of: 10, into: lab)
    lab.ledger.setMetric(.lostUpdates, 10 - items)
    try lab.release("the order is dropped") { order = nil }
  }

  private static func add(_ what: String, _ lab: Lab, _ action: () -> Void) throws {
    try lab.step(what) {
      action()
      lab.ledger.note("items added:")
    }
  }

  private static func enter(_ items: Int?, _ total: Double?, of added: Int, into lab: Lab) {
    lab.ledger.setMetric("itemsAdded", added)
    lab.ledger.setMetrics(["itemsCharged": items ?? 0, "totalCharged": Int(total ?? 0)])
  }
}
