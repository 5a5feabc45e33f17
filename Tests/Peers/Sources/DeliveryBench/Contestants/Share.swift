import AsyncAlgorithms

extension Contestant {
  /// `share()` as it is by default: one buffer with room for one value, and the source waits.
  static let share = Contestant(name: "share()") { values, consumers in
    await time((0..<values).async.share(), consumers)
  }

  /// `share()` without back pressure, as the actor does it.
  static let unboundedShare = Contestant(name: "share(.unbounded)") { values, consumers in
    await time((0..<values).async.share(bufferingPolicy: .unbounded), consumers)
  }

  private static func time(
    _ shared: some AsyncSequence<Int, Never> & Sendable, _ consumers: Int
  ) async -> Lap {
    let gate = Gate()
    let (registrations, registered) = AsyncStream.makeStream(of: Void.self)
    let counts = (0..<consumers).map { _ in
      Task {
        var iterator = shared.makeAsyncIterator()
        registered.yield()
        await gate.opened()
        var count = 0
        while await iterator.next(isolation: nil) != nil { count += 1 }
        return count
      }
    }
    // The first to ask sets the source in motion; by then, all must be on the list.
    var waiting = registrations.makeAsyncIterator()
    for _ in 0..<consumers { await waiting.next() }
    return await Lap.timing {
      gate.open()
      return await counts.sum
    }
  }
}
