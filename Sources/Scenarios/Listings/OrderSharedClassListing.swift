// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/StructsAndThreads/OrderSharedClass.swift; renewed by 'make record'.

extension Listing {
  static let orderSharedClassListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/StructsAndThreads/OrderSharedClass.swift", line: 67,
      code: #"""
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
      """#),
  ]
}
