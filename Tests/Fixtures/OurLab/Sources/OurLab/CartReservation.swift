import Memlab
import Synchronization

private let incident = Document(
  file: "https://example.com/incidents/118", title: "Incident 118: carts that stay",
  family: "incidents")

/// What was deployed: the cart's own task holds it.
let cartReservation = Scenario(
  id: "cart-reservation",
  title: "a cart that renews its reservation",
  document: incident,
  place: "as it was deployed",
  lesson: "Notes/carts.md",
  question: "The cart's task waits for the next renewal. Does it keep the cart?",
  hint: "Who can end the loop?",
  fixedBy: "cart-reservation-weak",
  endings: [
    Ending(
      "drop", "the shopper leaves",
      expects: Declaration(
        .leak, objects: [ObjectCount("Cart", created: 1, deinitialized: 0)],
        tasks: [TaskCount("renewal", started: 1, finished: 0)],
        held: ["Cart": .task("renewal")]),
      explanation: "The task calls a method of the cart in each round, so it holds the cart for as "
        + "long as the loop runs, and nobody ends the loop."
    ) { lab in
      @Variable("cart") var cart: Cart?
      let shop = Shop()
      try lab.step("a shopper fills a cart") {
        cart = Cart()
        cart?.reserve(in: shop)
      }
      try lab.release("the shopper leaves") { cart = nil }
      AppWide.keep(shop, for: lab.ledger)
    },
    Ending(
      "close", "the shop closes, and then the shopper leaves",
      expects: Declaration(
        .clean, objects: [ObjectCount("Cart", created: 1, deinitialized: 1)],
        tasks: [TaskCount("renewal", started: 1, finished: 1)]),
      explanation: "The stream ends, so the loop does, and with it the task."
    ) { lab in
      @Variable("cart") var cart: Cart?
      let shop = Shop()
      try lab.step("a shopper fills a cart") {
        cart = Cart()
        cart?.reserve(in: shop)
      }
      try lab.step("the shop closes") { shop.close() }
      try lab.release("the shopper leaves") { cart = nil }
    },
  ])

// snippet:code
final class Cart: Sendable {
  private let probe = Probe(Cart.self)
  private let renewals = Mutex(0)

  func reserve(in shop: Shop) {
    Task(probe: "renewal") {
      for await _ in shop.minutes { self.renew() }
    }
  }

  private func renew() { renewals.withLock { $0 += 1 } }
}
// snippet:end

/// A shop, which says when a minute has passed.
final class Shop: Sendable {
  let minutes: AsyncStream<Void>
  private let clock: AsyncStream<Void>.Continuation

  init() { (minutes, clock) = AsyncStream.makeStream() }

  func close() { clock.finish() }
}
