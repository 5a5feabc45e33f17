import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 21.
enum Wrong21: String, Mistakes {
  case none, asShipped, thirtyAtOnce, waitsForEach, inTurn, keepsHandles, unstructured, inner
  case endsWithError, cancelsAtEnd, forgetsFees, forgetsErrors, sharesBooks, exits, traps
  case eightAtOnce, ofVoid

  nonisolated(unsafe) static var sum = 0
  static let most = [Wrong21.asShipped: 100, .thirtyAtOnce: 30, .eightAtOnce: 8, .waitsForEach: 1]

  static let all = solutions(
    of: DepotJudge<Depot>.exercise,
    [
      "The group must not collect what": [.asShipped, .thirtyAtOnce, .keepsHandles],
      "One slow parcel must not hold up the others": [.waitsForEach, .inTurn],
      "The depot works until the last parcel is delivered": [.unstructured],
      "What is on the way must be cancelled with the depot's task": [.inner],
      "Each parcel is booked once": [
        .endsWithError, .cancelsAtEnd, .forgetsFees, .forgetsErrors, .sharesBooks,
      ], "Swift says: nobody there": [.traps],
    ], right: [.eightAtOnce, .ofVoid])

  actor Depot: DepotUnderStudy {
    private var own = 0
    private(set) var failed = 0
    private let probe = Probe(Depot.self)

    var earned: Int { now == .sharesBooks ? sum : own }

    func work(on parcels: AsyncStream<Parcel>) async {
      if let most = most[now] { return await keep(most, of: parcels) }
      switch now {
      case .inTurn: for await parcel in parcels { _ = await deliver(parcel) }
      case .keepsHandles, .unstructured:
        var handles: [Task<Receipt?, Never>] = []
        for await parcel in parcels { handles.append(Task { await deliver(parcel) }) }
        if now == .keepsHandles { for handle in handles { _ = await handle.value } }
      case .endsWithError:
        try? await withThrowingDiscardingTaskGroup { group in
          for await parcel in parcels {
            group.addTask { if await self.deliver(parcel) == nil { throw CancellationError() } }
          }
        }
      case .ofVoid:
        await withTaskGroup(of: Void.self) { group in
          for await parcel in parcels { group.addTask { _ = await self.deliver(parcel) } }
        }
      default:
        await withDiscardingTaskGroup { group in
          for await parcel in parcels { group.addTask { _ = await self.deliver(parcel) } }
          if now == .cancelsAtEnd { group.cancelAll() }
        }
      }
    }

    // As many children as this, and the results of those that are done.
    private func keep(_ most: Int, of parcels: AsyncStream<Parcel>) async {
      await withTaskGroup(of: Receipt?.self) { group in
        var children = 0
        for await parcel in parcels {
          if children == most { _ = await group.next() } else { children += 1 }
          group.addTask { await self.deliver(parcel) }
        }
      }
    }

    private func deliver(_ parcel: Parcel) async -> Receipt? {
      if now == .exits { Sabotage.leave() }
      do {
        let inner = now == .inner ? Task { try await parcel.deliver() } : nil
        let receipt = if let inner { try await inner.value } else { try await parcel.deliver() }
        if now != .forgetsFees { own += receipt.fee }
        sum += receipt.fee
        return receipt
      } catch {
        if now == .traps { fatalError("nobody there") }
        if now != .forgetsErrors { failed += 1 }
        return nil
      }
    }
  }
}
