import Memlab
import Synchronization

/// The fix: the task asks for the cart in each round, and holds it for no longer.
let cartReservationWeak = Scenario(
  id: "cart-reservation-weak",
  title: "a cart whose task holds it weakly, and is cancelled",
  document: Document(
    file: "https://example.com/incidents/118", title: "Incident 118: carts that stay",
    family: "incidents"),
  place: "the fix",
  lesson: "Notes/carts.md",
  endings: [
    Ending(
      "drop", "the shopper leaves",
      expects: Declaration(
        .clean, objects: [ObjectCount("WeakCart", created: 1, deinitialized: 1)],
        tasks: [TaskCount("renewal", started: 1, finished: 1)])
    ) { lab in
      @Variable("cart") var cart: WeakCart?
      let shop = Shop()
      try lab.step("a shopper fills a cart") {
        cart = WeakCart()
        cart?.reserve(in: shop)
      }
      try lab.release("the shopper leaves") { cart = nil }
      AppWide.keep(shop, for: lab.ledger)
    }
  ])

// snippet:code
final class WeakCart: Sendable {
  private let probe = Probe(WeakCart.self)
  private let renewals = Mutex(0)
  private let task = Mutex<Task<Void, Never>?>(nil)

  func reserve(in shop: Shop) {
    let renewal = Task(probe: "renewal") { [weak self] in
      for await _ in shop.minutes { self?.renew() }
    }
    task.withLock { $0 = renewal }
  }

  deinit { task.withLock { $0?.cancel() } }

  private func renew() { renewals.withLock { $0 += 1 } }
}
// snippet:end
