// An account pays out what it has and not more. What was true before an `await` need not be true
// after it: the check and the change must stand on the same side.

import Exercises
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
    balance -= amount
    await audit()
    return true
  }
}
