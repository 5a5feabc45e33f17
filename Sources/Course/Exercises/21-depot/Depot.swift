// A depot delivers each parcel in a child task, so that a slow one holds up no other, and works as
// long as parcels come. It keeps the receipt of every parcel that it ever delivered. Fix it so that at
// most ten receipts are left while it waits. All else stays: a parcel is booked as soon as it is
// delivered or has failed, `work` returns after the last of them, and a cancelled `work` cancels what
// is on the way.

import MemlabKit

/// The depot.
actor Depot: DepotUnderStudy {
  /// The sum of the fees.
  private(set) var earned = 0
  /// How many parcels could not be delivered.
  private(set) var failed = 0
  private let probe = Probe(Depot.self)

  /// Delivers parcels until no more come.
  func work(on parcels: AsyncStream<Parcel>) async {
    await withTaskGroup(of: Receipt?.self) { group in
      for await parcel in parcels {
        group.addTask { await self.deliver(parcel) }
      }
    }
  }

  private func deliver(_ parcel: Parcel) async -> Receipt? {
    do {
      let receipt = try await parcel.deliver()
      earned += receipt.fee
      return receipt
    } catch {
      failed += 1
      return nil
    }
  }
}
