// An account pays out what it has and not more. It is an actor, so two withdrawals cannot touch the
// balance at the same time; all the same, two of them can overdraw it. Mend it. The bank insists on
// `audit()` for each withdrawal that is paid out, and the account waits for it.

import MemlabKit

actor Account: AccountUnderStudy {
  private(set) var balance: Int
  private let audit: @Sendable () async -> Void

  init(balance: Int, audit: @escaping @Sendable () async -> Void) {
    self.balance = balance
    self.audit = audit
  }

  func withdraw(_ amount: Int) async -> Bool {
    guard balance >= amount else { return false }
    await audit()
    balance -= amount
    return true
  }
}
