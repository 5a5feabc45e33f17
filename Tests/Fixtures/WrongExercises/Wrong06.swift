import Dispatch
import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 06.
enum Wrong06: String, Mistakes {
  case none, asShipped, doesNotWait, auditsFirst, checksTwice, skipsAudit, refusesAll, paysAll
  case refusesLast, exits, polls, traps, subtractsTwice, auditsTwice, oneAtMost, givesBack, detached
  case sharesBalance, sleepsInTurn, yieldsInTurn, writesBack, refusesWhenBusy, semaphore, auditsOnce
  case refusesLarge, forgetsOne, unlocksEarly, queues, reserves

  static let all = solutions(
    of: AccountJudge<Account>.exercise,
    [
      "The check and the subtraction must have no await between them.": [.asShipped],
      "withdraw returns true only after its audit is over.": [.doesNotWait, .detached],
      "Each withdrawal that is paid out is audited, and no other.": [.auditsFirst, .checksTwice],
      "paidAudits should be": [.skipsAudit, .auditsTwice, .givesBack],
      "paid should be": [.refusesAll, .oneAtMost],
      "balance should be": [
        .paysAll, .subtractsTwice, .sharesBalance, .sleepsInTurn, .yieldsInTurn, .writesBack,
        .forgetsOne, .unlocksEarly,
      ],
      "A customer is paid if the balance is enough": [
        .refusesLast, .refusesWhenBusy, .refusesLarge,
      ],
      "has not come to rest": [.polls],
      "Swift says: overdrawn": [.traps],
      "has moved": [.semaphore],
      "Each withdrawal that is paid out is audited": [.auditsOnce],
    ], right: [.queues, .reserves])

  nonisolated(unsafe) static var sharedBalance = 0

  actor Account: AccountUnderStudy {
    private var ownBalance: Int
    private(set) var balance: Int {
      get { now == .sharesBalance ? sharedBalance : ownBalance }
      set { if now == .sharesBalance { sharedBalance = newValue } else { ownBalance = newValue } }
    }
    private var reserved = 0
    private var turns = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private let gate = DispatchSemaphore(value: 1)
    private let audit: @Sendable () async -> Void
    private var isBusy = false
    private var hasPaid = false

    init(balance: Int, audit: @escaping @Sendable () async -> Void) {
      (ownBalance, self.audit) = (balance, audit)
      sharedBalance = balance
    }

    func withdraw(_ amount: Int) async -> Bool {
      switch now {
      case .refusesAll: return false
      case .exits: Sabotage.leave()
      case .auditsFirst: await audit()
      case .polls:
        isBusy = true
        while isBusy { await Task.yield() }
      case .sleepsInTurn, .yieldsInTurn:
        turns += 1
        for _ in 1..<turns where now == .yieldsInTurn { for _ in 0..<9 { await Task.yield() } }
        if now == .sleepsInTurn { try? await Task.sleep(for: .seconds(60 * turns)) }
        return await withdrawAsShipped(amount)
      case .writesBack:
        guard balance >= amount else { return false }
        let rest = balance - amount
        await audit()
        balance = rest
        return true
      case .refusesWhenBusy:
        if isBusy { return false }
        isBusy = true
        defer { isBusy = false }
        return await withdrawAsShipped(amount)
      case .semaphore:
        gate.wait()
        defer { gate.signal() }
        return await withdrawAsShipped(amount)
      case .auditsOnce where hasPaid:
        guard balance >= amount else { return false }
        balance -= amount
        return true
      case .refusesLarge where amount > 1_000 || amount == 50: return false
      case .forgetsOne where amount == 30 && hasPaid:
        await audit()
        return true
      case .unlocksEarly:
        await lock()
        guard balance >= amount else {
          unlock()
          return false
        }
        unlock()
        await audit()
        balance -= amount
        return true
      case .queues:
        await lock()
        defer { unlock() }
        return await withdrawAsShipped(amount)
      case .reserves:
        guard balance - reserved >= amount else { return false }
        reserved += amount
        await audit()
        reserved -= amount
        balance -= amount
        return true
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

    private func withdrawAsShipped(_ amount: Int) async -> Bool {
      guard balance >= amount else { return false }
      await audit()
      balance -= amount
      return true
    }

    private func lock() async {
      if isBusy { await withCheckedContinuation { waiting.append($0) } }
      isBusy = true
    }

    // The one that waits longest is next, and the lock stays closed for others.
    private func unlock() {
      if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
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
