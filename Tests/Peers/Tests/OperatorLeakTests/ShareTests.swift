import AsyncAlgorithms
import LeakCheck
import Testing

@Suite("share() with more than one consumer, and share() that is dropped") struct ShareTests {
  // A reader that begins to wait for demand when share() has been dropped is not told any more.
  @Test(
    "nothing is left, but now and then its reader", arguments: Operator.shares, LifeCycle.allCases)
  func single(policy: Operator, cycle: LifeCycle) async {
    if cycle == .cancelled, policy.testDescription == "share, bounded" { return }
    await knownLeak("a race", naming: Self.reader, isRare: true) {
      await expectNoLeaksOfManyLives { await policy.live(cycle) }
    }
  }

  @Test("two consumers: the same", arguments: [LifeCycle.finishes, .fails, .cancelled])
  func two(cycle: LifeCycle) async {
    await knownLeak("a race", naming: Self.reader, isRare: true) {
      await expectNoLeaksOfManyLives {
        let shared = cycle.source().share(bufferingPolicy: .unbounded)
        let one = Task { for try await _ in shared {} }
        let other = Task { for try await _ in shared {} }
        if cycle == .cancelled {
          one.cancel()
          other.cancel()
        }
        _ = await (one.result, other.result)
        withExtendedLifetime(shared) {}
      }
    }
  }

  @Test("cancelled between two values: its reader waits for room in a buffer that nobody reads")
  func cancelledBetweenValues() async {
    await knownLeak("room is made by consumers only, and the last has gone", naming: Self.reader) {
      await expectNoLeaks {
        let shared = LifeCycle.cancelled.source().share()
        let consumer = Task { for try await _ in shared { withUnsafeCurrentTask { $0?.cancel() } } }
        _ = await consumer.result
        withExtendedLifetime(shared) {}
      }
    }
  }

  @Test("broken off by the one in front, then by the one behind: the same")
  func behind() async throws {
    try await knownLeak(
      "room is made by consumers only, and the last has gone", naming: Self.reader
    ) {
      try await expectNoLeaks {
        let shared = LifeCycle.brokenOff.source().share()
        var front = Optional(shared.makeAsyncIterator())
        var behind = Optional(shared.makeAsyncIterator())
        _ = try await front?.next()
        front = nil
        behind = nil
        withExtendedLifetime((shared, behind)) {}
      }
    }
  }

  @Test("held by nobody but its iterator: its reader waits to be asked", arguments: [1, .max])
  func temporary(limit: Int) async throws {
    try await knownLeak("the iterator lets go without a word", naming: Self.reader) {
      try await expectNoLeaks {
        var iterator = LifeCycle.finishes.source().share().makeAsyncIterator()
        var count = 0
        while count < limit, try await iterator.next() != nil { count += 1 }
      }
    }
  }

  @Test("the source is dropped without an end: its reader and both consumers wait forever")
  func dropped() async {
    await knownLeak(
      "a source that is dropped does not finish, and share() has nothing that finishes it",
      naming: ["task \"Share Iteration\"", "task \"one\"", "task \"other\""]
    ) {
      await expectNoLeaks {
        let shared = AsyncStream { continuation in continuation.yield(1) }.share()
        Task(name: "one") { for await _ in shared {} }
        Task(name: "other") { for await _ in shared {} }
      }
    }
  }

  private static let reader = ["task \"Share Iteration\""]
}
