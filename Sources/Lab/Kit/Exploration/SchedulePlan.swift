/// Which orders of the same jobs are run, as `--schedules` takes it.
package enum SchedulePlan: Sendable, Equatable {
  /// Every order, up to this many.
  case all(orders: Int)
  /// This many random orders, with the seeds from 1.
  case random(Int)
  /// One random order, with this seed.
  case seed(UInt64)
  /// This one order.
  case replay(Order)

  /// Reads `all`, `all:N`, a number of orders, `seed:S` or `replay:` and an order.
  package init?(_ text: String) {
    if text == "all" {
      self = .all(orders: Exploration.Limits().orders)
    } else if let count = text.afterPrefix("all:").flatMap(Self.count) {
      self = .all(orders: count)
    } else if let count = Self.count(text) {
      self = .random(count)
    } else if let seed = text.afterPrefix("seed:").flatMap({ UInt64($0) }) {
      self = .seed(seed)
    } else if let order = text.afterPrefix("replay:").flatMap({ Order($0) }) {
      self = .replay(order)
    } else {
      return nil
    }
  }

  private static func count(_ text: String) -> Int? {
    Int(text).flatMap { (1...mostOrders).contains($0) ? $0 : nil }
  }

  /// The largest number of orders that can be asked for.
  package static let mostOrders = 1_000_000

  /// What picks the jobs of a single order; nil where there are many.
  package var chooser: Chooser? {
    switch self {
    case .all, .random: nil
    case .seed(let seed): Chooser(seed: seed)
    case .replay(let order): Chooser(order)
    }
  }
}

extension String {
  fileprivate func afterPrefix(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
