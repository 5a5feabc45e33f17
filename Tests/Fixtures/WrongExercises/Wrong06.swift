import Exercises
import MemlabKit

/// Wrong solutions of exercise 06.
enum Wrong06: String, Mistakes {
  case none, asShipped, doesNotWait, auditsFirst, checksTwice, skipsAudit, refusesAll, paysAll,
    refusesLast
  case exits, polls, traps, subtractsTwice, auditsTwice, oneAtMost, givesBack,
    detached

  nonisolated(unsafe) static var now = Wrong06.none

  static let all = solutions(
    of: .account(Account.self),
    [
      .asShipped: "The check and the subtraction must have no await between them.",
      .doesNotWait: "withdraw returns true only after its audit is over.",
      .detached: "withdraw returns true only after its audit is over.",
      .auditsFirst: "Each withdrawal that is paid out is audited, and no other.",
      .checksTwice: "Each withdrawal that is paid out is audited, and no other.",
      .skipsAudit: "audits should be",
      .refusesAll: "paid should be",
      .paysAll: "balance should be",
      .refusesLast: "A customer is paid if the balance is enough",
      .exits: "Your code ended the process, with code 0",
      .polls: "has not come to rest",
      .traps: "Swift says: overdrawn",
      .subtractsTwice: "balance should be",
      .auditsTwice: "audits should be",
      .oneAtMost: "paid should be",
      .givesBack: "audits should be",
    ]
  ) { now = $0 }

  actor Account: AccountUnderStudy {
    private(set) var balance: Int
    private let audit: @Sendable () async -> Void
    private var isBusy = false
    private var hasPaid = false

    init(balance: Int, audit: @escaping @Sendable () async -> Void) {
      (self.balance, self.audit) = (balance, audit)
    }

    func withdraw(_ amount: Int) async -> Bool {
      switch now {
      case .refusesAll: return false
      case .exits: Sabotage.leave()
      case .auditsFirst: await audit()
      case .polls:
        isBusy = true
        while isBusy { await Task.yield() }
      case .oneAtMost where hasPaid: return false
      default: break
      }
      if now == .traps, balance < amount { fatalError("overdrawn") }
      guard balance >= amount || now == .paysAll || now == .givesBack else { return false }
      if now == .refusesLast, balance == amount { return false }
      hasPaid = true
      switch now {
      case .asShipped, .checksTwice:
        await audit()
        if now == .checksTwice, balance < amount { return false }
        balance -= amount
      case .auditsFirst: balance -= amount
      case .givesBack:
        balance -= amount
        await audit()
        if balance < 0 {
          balance += amount
          return false
        }
      default:
        balance -= amount
        await settle(amount)
      }
      return true
    }

    private func settle(_ amount: Int) async {
      switch now {
      case .doesNotWait: Task { await audit() }
      case .detached: Task.detached { await self.audit() }
      case .skipsAudit: break
      case .auditsTwice:
        await audit()
        await audit()
      case .subtractsTwice:
        balance -= amount
        await audit()
      default: await audit()
      }
    }
  }
}
