import Dispatch
import LeakCheck
import Observation
import Testing

/// Leaks from public reports, each in its own words; every one of them leaks.
@Suite("Reported", .enabled(if: Fixture.isOn), .serialized) struct ReportedFixtures {
  /// A sequence that nobody finishes: dropping the continuation is not the end of the stream that a
  /// task waits for. https://github.com/Aldo10012/EZNetworking/pull/139
  @Test func droppedContinuation() async {
    await expectNoLeaks {
      let feed = watch(Feed())
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task { for await value in stream { feed.last = value } }
      continuation.yield(1)
    }
  }

  /// A loop that asks whether it is cancelled only when something arrives, behind `guard let self`.
  /// https://github.com/davidstump/SwiftPhoenixClient/pull/231
  @Test func guardThenLoop() async {
    await expectNoLeaks {
      let feed = watch(Feed())
      feed.task = Task { [weak feed] in
        guard let feed else { return }
        while !Task.isCancelled { await feed.nextValue() }
      }
      await feed.isWaiting()
    }
  }

  /// A task that its owner stores, and that holds its owner.
  /// https://github.com/RevenueCat/purchases-ios/pull/1150
  @Test func storedTask() async {
    await expectNoLeaks {
      let feed = watch(Feed())
      feed.task = Task { await feed.run() }
    }
  }

  /// An actor whose own endless call keeps it.
  /// https://github.com/apollographql/apollo-ios-dev/pull/1011
  @Test func actorInItsOwnLoop() async {
    await expectNoLeaks { await watch(Station()).start() }
  }

  /// Continuations in a dictionary, and one that nobody resumes.
  /// https://github.com/ordo-one/package-distributed-system/pull/24
  @Test func unansweredRequest() async {
    await expectNoLeaks {
      let client = watch(Client())
      Task { _ = await client.ask(1) }
      Task { _ = await client.ask(2) }
      while client.open < 2 { await Task.yield() }
      client.answer(1)
    }
  }

  /// `onTermination` captures who owns the continuation.
  /// https://github.com/swiftlang/swift/pull/40087
  @Test func terminationHoldsOwner() async {
    await expectNoLeaks {
      let feed = watch(Feed())
      feed.continuation.onTermination = { _ in feed.last = -1 }
    }
  }

  /// The latest of several sequences, by hand: the task that follows it is never resumed.
  /// https://github.com/apple/swift-async-algorithms/issues/437
  @Test func switchToLatest() async {
    await expectNoLeaks {
      let latest = watch(Latest())
      let (first, second) = (AsyncStream<Int> { _ in }, AsyncStream<Int> { _ in })
      latest.follow(first)
      latest.follow(second)
    }
  }

  /// A timer's handler captures who owns the timer.
  /// https://github.com/hemantasapkota/GCDTimer/issues/2
  @Test func timerHandler() async {
    await expectNoLeaks(within: .milliseconds(300)) {
      let ticker = watch(Ticker())
      ticker.timer.setEventHandler { ticker.ticks += 1 }
      ticker.timer.schedule(deadline: .now() + 600, repeating: 600)
      ticker.timer.activate()
    }
  }

  /// A delegate that is held strongly, and holds back.
  /// https://github.com/connectrpc/connect-swift/issues/334
  @Test func strongDelegate() async {
    await expectNoLeaks {
      let session = watch(Session())
      let screen = watch(Screen())
      (session.delegate, screen.session) = (screen, session)
    }
  }

  /// A lazy property that is a closure, and has been used.
  /// https://github.com/kodecocodes/swift-style-guide/issues/88
  @Test func lazyClosure() async {
    await expectNoLeaks { _ = watch(Screen()).title() }
  }

  /// Tracking that asks for itself again with a strong reference.
  /// https://github.com/swiftlang/swift/pull/82752
  @Test func trackingRearmed() async {
    await expectNoLeaks { watch(Tracker()).track() }
  }
}
