package import MemlabKit

/// What is left of a delivery.
package final class Receipt: Sendable {
  /// What was paid.
  package let fee: Int
  private let probe = Probe(Receipt.self)

  fileprivate init(fee: Int) { self.fee = fee }
}

/// Something to deliver.
package struct Parcel: Sendable {
  fileprivate let fee: Awaited<Int>

  /// Delivers it, which takes as long as it takes.
  ///
  /// - Returns: the receipt.
  /// - Throws: an error when nobody is there, and when the task is cancelled on the way.
  package func deliver() async throws -> Receipt { Receipt(fee: try await fee.get()) }
}

/// What the judge needs of a depot.
package protocol DepotUnderStudy: Actor {
  /// The sum of the fees.
  var earned: Int { get }
  /// How many parcels could not be delivered.
  var failed: Int { get }
  /// A depot that has delivered nothing yet.
  init()
  /// Delivers parcels until no more come.
  func work(on parcels: AsyncStream<Parcel>) async
}

/// Exercise 21: a depot, its parcels, and a depot beside it that gets none.
package final class DepotJudge<Depot: DepotUnderStudy>: JudgeStage, Judge {
  private let (parcels, source) = AsyncStream<Parcel>.makeStream()
  private var depots: [Depot] = []
  private var worker: Task<Void, Never>?
  private var onTheWay: [Awaited<Int>] = []
  private var (earned, failed) = (0, 0)
  private var (piledUp, late, booksRight, early, atWork) = (0, 0, 0, 0, 0)

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("waits", receipts: 40, looks: 2) { [$0.takeMany, $0.arrive, $0.takeMany, $0.arrive] }
    // Code that waits for a result before it takes another parcel waits for the slow one.
    ending("slow", receipts: 20, looks: 2) { [$0.takeMany, $0.arriveButFirst, $0.arrive] }
    // A group that throws ends with its first error, and cancels the others.
    ending("fails", receipts: 6, looks: 2) { [$0.takeFew, $0.arrive, $0.takeFew, $0.arrive] }
    ending("closing", receipts: 3, looks: 1) { [$0.takeFew, $0.finish, $0.arrive] }
    ending("cancel", receipts: 0, looks: 0) { [$0.takeFew, $0.cancel] }
  }

  private static func ending(
    _ name: String, receipts: Int, looks: Int, steps: @escaping Steps<DepotJudge>
  ) -> Ending {
    Ending(
      name, ["Depot": 2, "Receipt": receipts], tasks: ["worker": 1],
      figures: ["piledUp": 0, "late": 0, "booksRight": looks, "early": 0, "atWork": 0],
      on: DepotJudge.init
    ) { [$0.open] + steps($0) + [$0.close] }
  }

  private func open() throws {
    try lab.step("two depots are opened, and parcels can come to one") {
      depots = [Depot(), Depot()]
      worker = Task(probe: "worker") { [depots, parcels] in await depots[0].work(on: parcels) }
    }
  }

  private func takeMany() throws { try take(20, failing: 0) }

  private func takeFew() throws { try take(5, failing: 2) }

  // Nobody knows which of them fail.
  private func take(_ count: Int, failing failures: Int) throws {
    let parcels = zip(Secret.numbers(count), Secret.order(of: count)).map { fee, number in
      Parcel(fee: Awaited(value: number < failures ? nil : fee))
    }
    onTheWay += parcels.map(\.fee)
    try lab.step("\(count) parcels come") { for parcel in parcels { source.yield(parcel) } }
  }

  private func arrive() throws { try arrive(from: 0, "they arrive") }

  private func arriveButFirst() throws { try arrive(from: 1, "all but the first arrive") }

  private func arrive(from first: Int, _ text: String) throws {
    let arrived = onTheWay[first...]
    onTheWay = Array(onTheWay[..<first])
    try lab.step(text) { for fee in arrived { fee.come() } }
    earned += arrived.reduce(0) { $0 + ($1.value ?? 0) }
    failed += arrived.count { $0.value == nil }
    piledUp = max(piledUp, lab.ledger.totals.object("Receipt").alive - 10)
    late = max(late, arrived.count { $0.isUnderWay != false })
    // What all depots share is in the books of the other one.
    let books = try lab.awaiting("somebody looks at the books") { [depots] in
      await [depots[0].earned, depots[0].failed, depots[1].earned, depots[1].failed]
    }
    booksRight += books == [earned, failed, 0, 0] ? 1 : 0
  }

  private func finish() throws {
    try lab.step("no more parcels come") { source.finish() }
    early = 1 - lab.ledger.totals.liveTasks
  }

  private func cancel() throws {
    try lab.release("the depot's task is cancelled") { worker?.cancel() }
    atWork = lab.ledger.totals.liveTasks + onTheWay.count { $0.isUnderWay == true }
  }

  private func close() throws {
    lab.ledger.setMetrics([
      "piledUp": piledUp, "late": late, "booksRight": booksRight, "early": early, "atWork": atWork,
    ])
    try lab.release("the depots are closed and dropped") {
      source.finish()
      for fee in onTheWay { fee.come() }
      (depots, worker) = ([], nil)
    }
  }
}
