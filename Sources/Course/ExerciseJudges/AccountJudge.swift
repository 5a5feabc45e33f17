package import MemlabKit

/// What the judge needs of an account.
package protocol AccountUnderStudy: Actor {
  /// The money that is left.
  var balance: Int { get }
  /// An account with this balance.
  init(balance: Int, audit: @escaping @Sendable () async -> Void)
  /// Pays out and returns true, or refuses and returns false.
  func withdraw(_ amount: Int) async -> Bool
}

extension Exercise {
  /// Exercise 06, judging this account.
  package static func account<Account: AccountUnderStudy>(_ type: Account.Type) -> Exercise {
    Exercise(
      number: "06",
      endings: [
        ending(type, "together", "two withdraw 80 of 100 at the same time", [80, 80], paid: 1),
        ending(type, "enough", "two withdraw 30 of 100 at the same time", [30, 30], paid: 2),
        ending(type, "exactly", "two withdraw 50 of 100 at the same time", [50, 50], paid: 2),
        ending(type, "queue", "four withdraw 60, 60, 40 and 1 of 100", [60, 60, 40, 1], paid: 2),
        unknown(type), two(type),
      ])
  }

  private static func ending<Account: AccountUnderStudy>(
    _ type: Account.Type, _ name: String, _ title: String, _ amounts: [Int], paid: Int
  ) -> Ending {
    let rest = amounts.reduce(100) { $0 >= $1 ? $0 - $1 : $0 }
    return Ending(
      name, title,
      expects: .solved(
        [:], tasks: ["customer": amounts.count],
        ["paid": paid, "audits": paid, "paidEarly": 0, "balance": rest]),
      explanation: paid == amounts.count
        ? "There is enough money for all." : "Who comes too late is told that it is not enough.",
      judge: { ($0.metrics["balance"] ?? 0) < 0 ? .race : .clean },
      run: { lab in
        let bank = AccountStage(Account.self, lab, balance: 100)
        try bank.withdraw(amounts)
        try bank.audit()
        try bank.compare([bank])
      })
  }

  // Amounts that no code can know before, so the balance must come from the withdrawals.
  private static func unknown<Account: AccountUnderStudy>(_ type: Account.Type) -> Ending {
    Ending(
      "unknown", "four withdraw amounts that nobody knows before",
      expects: .solved(
        [:], tasks: ["customer": 4], ["paid": 4, "audits": 4, "paidEarly": 0, "balance": 0]),
      explanation: "Together they take the whole balance."
    ) { lab in
      let amounts = Secret.numbers(4)
      let bank = AccountStage(Account.self, lab, balance: amounts.reduce(0, +))
      try bank.withdraw(amounts)
      try bank.audit()
      try bank.compare([bank])
    }
  }

  // Code in which all accounts share one balance, that of the account made last, fails here.
  private static func two<Account: AccountUnderStudy>(_ type: Account.Type) -> Ending {
    Ending(
      "two", "one withdraws 70 of 100, and one 40 of another account's 50",
      expects: .solved(
        [:], tasks: ["customer": 2], ["paid": 2, "audits": 2, "paidEarly": 0, "balance": 40]),
      explanation: "Each account has a balance of its own."
    ) { lab in
      let one = AccountStage(Account.self, lab, balance: 100)
      let other = AccountStage(Account.self, lab, balance: 50)
      try one.withdraw([70])
      try other.withdraw([40])
      for bank in [one, other] { try bank.audit() }
      try one.compare([one, other])
    }
  }
}

/// An account, its bank, and its customers.
private final class AccountStage<Account: AccountUnderStudy> {
  private let lab: Lab
  private let account: Account
  // Each audit's end, and each answer that a customer got, in the order in which they happened.
  private let events: Seen<String>
  private let auditors = Gate()

  init(_ type: Account.Type, _ lab: Lab, balance: Int) {
    let events = Seen<String>()
    (self.lab, self.events) = (lab, events)
    account = Account(balance: balance) { [auditors] in
      await auditors.pass()
      events.add("audited")
    }
  }

  func withdraw(_ amounts: [Int]) throws {
    try lab.step(
      amounts.count == 1 ? "a customer withdraws" : "\(amounts.count) customers withdraw"
    ) {
      for amount in amounts {
        Task(probe: "customer") { [account, events] in
          let isPaid = await account.withdraw(amount)
          events.add(isPaid ? "paid" : "refused")
          Ledger.current?.note(isPaid ? "paid" : "refused")
        }
      }
    }
  }

  func audit() throws { try lab.step("the auditors come") { auditors.open() } }

  func compare(_ banks: [AccountStage]) throws {
    let all = banks.map(\.events.all)
    lab.ledger.setMetric("paid", all.joined().count { $0 == "paid" })
    lab.ledger.setMetric("audits", all.joined().count { $0 == "audited" })
    lab.ledger.setMetric("paidEarly", all.reduce(0) { $0 + paidEarly($1) })
    lab.ledger.setMetric("balance", try banks.reduce(0) { try $0 + $1.balance() })
  }

  private func balance() throws -> Int {
    let balance = Seen<Int>()
    try lab.step("the balance is read") { Task { [account] in balance.add(await account.balance) } }
    return balance.all.last ?? -1
  }

  private func paidEarly(_ events: [String]) -> Int {
    var (audits, early) = (0, 0)
    for event in events {
      if event == "audited" { audits += 1 }
      guard event == "paid" else { continue }
      (audits, early) = audits > 0 ? (audits - 1, early) : (0, early + 1)
    }
    return early
  }
}
