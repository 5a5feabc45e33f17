import MemlabKit

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
      number: "06", title: "an actor that pays out twice", lesson: "06-a-struct-is-not-a-lock",
      file: "06-account/Account.swift",
      hint: "An actor is not locked while it waits. What may have happened between the guard and "
        + "the line that takes the money?",
      figures: [
        "balance": "is the final balance of the account.",
        "paid": "is the number of customers that were paid.",
        "audits": "is the number of audits: one for each withdrawal that is paid out, none for "
          + "one that is refused.",
        "paidEarly": "is the number of customers that were paid before their audit.",
      ],
      endings: [
        Ending(
          "together", "two withdraw 80 of 100 at the same time",
          expects: solved(paid: 1, balance: 20),
          explanation: "The second customer is told that there is not enough money.",
          judge: { ($0.metrics["balance"] ?? 0) < 0 ? .race : .clean }
        ) { lab in try withdraw([80, 80], type, lab) },
        Ending(
          "enough", "two withdraw 30 of 100 at the same time",
          expects: solved(paid: 2, balance: 40),
          explanation: "There is enough money for both."
        ) { lab in try withdraw([30, 30], type, lab) },
      ])
  }

  private static func solved(paid: Int, balance: Int) -> Declaration {
    Declaration(
      .clean, tasks: [TaskCount("customer", started: 2, finished: 2)],
      metrics: ["paid": paid, "audits": paid, "paidEarly": 0, "balance": balance])
  }

  private static func withdraw<Account: AccountUnderStudy>(
    _ amounts: [Int], _ type: Account.Type, _ lab: Lab
  ) throws {
    let account = Account(balance: 100) {
      await Task.yield()
      Ledger.current?.note("audited")
    }
    try lab.step("two customers withdraw") {
      for amount in amounts {
        Task(probe: "customer") {
          let isPaid = await account.withdraw(amount)
          lab.ledger.note(isPaid ? "paid" : "refused")
          let isAudited = lab.ledger.notes(of: "audited") >= lab.ledger.notes(of: "paid")
          if isPaid, !isAudited { lab.ledger.note("paid early") }
        }
      }
    }
    try lab.step("the balance is read") {
      Task { Ledger.current?.setMetric("balance", await account.balance) }
    }
    lab.ledger.setMetric("paid", lab.ledger.notes(of: "paid"))
    lab.ledger.setMetric("audits", lab.ledger.notes(of: "audited"))
    lab.ledger.setMetric("paidEarly", lab.ledger.notes(of: "paid early"))
  }
}
