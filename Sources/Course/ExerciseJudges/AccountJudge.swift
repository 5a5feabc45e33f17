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

/// Exercise 06: an account, its bank, and its customers.
package final class AccountJudge<Account: AccountUnderStudy>: JudgeStage, Judge {
  private let account: Account
  // Each audit's end, and each answer that a customer got, in the order in which they happened.
  private let events = Seen<String>()
  private let auditors = Gate()

  private init(_ lab: Lab, balance: Int) {
    account = Account(balance: balance) { [auditors, events] in
      await auditors.pass()
      events.add("audited")
    }
    super.init(lab)
  }

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("together", [80, 80], paid: 1, rest: 20)
    ending("enough", [30, 30], paid: 2, rest: 40)
    ending("exactly", [50, 50], paid: 2, rest: 0)
    ending("queue", [60, 60, 40, 1], paid: 2, rest: 0)
    // Amounts that no code can know before, so the balance must come from the withdrawals.
    ending("unknown", customers: 4, paid: 4, rest: 0) { lab in
      let amounts = Secret.numbers(4)
      let bank = AccountJudge(lab, balance: amounts.reduce(0, +))
      try bank.withdraw(amounts)
      return [bank]
    }
    // Code in which all accounts share one balance, that of the account made last, fails here.
    ending("two", customers: 2, paid: 2, rest: 40) { lab in
      let banks = [100, 50].map { AccountJudge(lab, balance: $0) }
      for (bank, amount) in zip(banks, [70, 40]) { try bank.withdraw([amount]) }
      return banks
    }
  }

  private static func ending(_ name: String, _ amounts: [Int], paid: Int, rest: Int) -> Ending {
    ending(name, customers: amounts.count, paid: paid, rest: rest) { lab in
      let bank = AccountJudge(lab, balance: 100)
      try bank.withdraw(amounts)
      return [bank]
    }
  }

  private static func ending(
    _ name: String, customers: Int, paid: Int, rest: Int,
    withdraw: @escaping @Sendable (Lab) throws -> [AccountJudge]
  ) -> Ending {
    Ending(
      name, [:], tasks: ["customer": customers],
      figures: ["paid": paid, "paidAudits": paid, "paidEarly": 0, "balance": rest],
      judge: { ($0.metrics["balance"] ?? 0) < 0 ? .race : .clean },
      run: { lab in
        let banks = try withdraw(lab)
        for bank in banks { try lab.step("the auditors come") { bank.auditors.open() } }
        let all = banks.map(\.events.all)
        lab.ledger.setMetrics([
          "paid": all.joined().count { $0 == "paid" },
          "paidAudits": all.joined().count { $0 == "audited" },
          "paidEarly": all.reduce(0) { $0 + paidEarly($1) },
          "balance": try banks.reduce(0) { try $0 + $1.balance() },
        ])
      })
  }

  private func withdraw(_ amounts: [Int]) throws {
    try lab.step(
      amounts.count == 1 ? "a customer withdraws" : "\(amounts.count) customers withdraw"
    ) {
      for amount in amounts {
        Task(probe: "customer") { [account, events] in
          let answer = await account.withdraw(amount) ? "paid" : "refused"
          events.add(answer)
          Ledger.current?.note(answer)
        }
      }
    }
  }

  private func balance() throws -> Int {
    try lab.awaiting("the balance is read") { [account] in await account.balance }
  }

  // How many more were paid than audited, when that was most.
  private static func paidEarly(_ events: [String]) -> Int {
    var (ahead, early) = (0, 0)
    for event in events where event != "refused" {
      ahead += event == "paid" ? 1 : -1
      early = max(early, ahead)
    }
    return early
  }
}
