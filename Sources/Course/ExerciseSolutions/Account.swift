// An account pays out what it has and not more. What was true before an `await` may be false after
// it, so the check and the change must be on the same side of it.

import MemlabExercises
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
    balance -= amount
    await audit()
    return true
  }
}
