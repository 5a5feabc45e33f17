// An account pays out what it has and not more. It is an actor, so two withdrawals cannot use the
// balance at the same time. Even so, two of them can overdraw it. Fix it. The bank insists on
// `audit()` for each withdrawal that is paid out, and the account waits for it.

import MemlabKit

/// The account.
actor Account: AccountUnderStudy {
  /// The money that is left.
  private(set) var balance: Int
  private let audit: @Sendable () async -> Void

  /// An account with this balance, and the bank's audit.
  init(balance: Int, audit: @escaping @Sendable () async -> Void) {
    self.balance = balance
    self.audit = audit
  }

  /// Pays out and returns true, or refuses and returns false.
  func withdraw(_ amount: Int) async -> Bool {
    guard balance >= amount else { return false }
    await audit()
    balance -= amount
    return true
  }
}
