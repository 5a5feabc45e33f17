@preconcurrency import Dispatch
import LeakCheck
import Observation
import Synchronization
import Testing

/// Leaks from public reports, each in its own words; every one of them leaks.
@Suite("Reported", .enabled(if: Fixture.isOn), .serialized) struct ReportedFixtures {
  /// A sequence that nobody finishes: dropping the continuation is not the end of the stream that a
  /// task waits for. https://github.com/Aldo10012/EZNetworking/pull/139
  @Test(.noLeaks(within: Fixture.limit)) func droppedContinuation() async {
    let feed = watch(Feed())
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    Task { for await value in stream { feed.last = value } }
    continuation.yield(1)
  }

  /// A loop that asks whether it is cancelled only when something arrives, behind `guard let self`.
  /// https://github.com/davidstump/SwiftPhoenixClient/pull/231
  @Test(.noLeaks(within: Fixture.limit)) func guardThenLoop() async {
    let feed = watch(Feed())
    feed.task = Task { [weak feed] in
      guard let feed else { return }
      while !Task.isCancelled { await feed.nextValue() }
    }
    await feed.isWaiting()
  }

  /// A task that its owner stores, and that holds its owner.
  /// https://github.com/RevenueCat/purchases-ios/pull/1150
  @Test(.noLeaks(within: Fixture.limit)) func storedTask() async {
    let feed = watch(Feed())
    feed.task = Task { await feed.run() }
  }

  /// An actor whose own endless call keeps it.
  /// https://github.com/apollographql/apollo-ios-dev/pull/1011
  @Test func actorInItsOwnLoop() async {
    await expectNoLeaks(within: Fixture.limit) { await watch(Station()).start() }
  }

  /// Continuations in a dictionary, and one that nobody resumes.
  /// https://github.com/ordo-one/package-distributed-system/pull/24
  @Test(.noLeaks(within: Fixture.limit)) func unansweredRequest() async {
    let client = watch(Client())
    Task { _ = await client.ask(1) }
    Task { _ = await client.ask(2) }
    while client.open < 2 { await Task.yield() }
    client.answer(1)
  }

  /// `onTermination` captures who owns the continuation.
  /// https://github.com/swiftlang/swift/pull/40087
  @Test(.noLeaks(within: Fixture.limit)) func terminationHoldsOwner() async {
    let feed = watch(Feed())
    feed.continuation.onTermination = { _ in feed.last = -1 }
  }

  /// The latest of several sequences, by hand: the task that follows it is never resumed.
  /// https://github.com/apple/swift-async-algorithms/issues/437
  @Test(.noLeaks(within: Fixture.limit)) func switchToLatest() async {
    let latest = watch(Latest())
    let (first, second) = (AsyncStream<Int> { _ in }, AsyncStream<Int> { _ in })
    latest.follow(first)
    latest.follow(second)
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
  @Test(.noLeaks(within: Fixture.limit)) func strongDelegate() async {
    let (session, screen) = (watch(Session()), watch(Screen()))
    (session.delegate, screen.session) = (screen, session)
  }

  /// A lazy property that is a closure, and has been used.
  /// https://github.com/kodecocodes/swift-style-guide/issues/88
  @Test func lazyClosure() async {
    await expectNoLeaks(within: Fixture.limit) { _ = watch(Screen()).title() }
  }

  /// Tracking that asks for itself again with a strong reference.
  /// https://github.com/swiftlang/swift/pull/82752
  @Test func trackingRearmed() async {
    await expectNoLeaks(within: Fixture.limit) { watch(Tracker()).track() }
  }
}

/// Has a stream that nobody finishes.
final class Feed: @unchecked Sendable {
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  var task: Task<Void, Never>?
  var last = 0
  private var isAsked = false

  @inline(never) func run() async { for await value in stream { last = value } }

  @inline(never) func nextValue() async {
    isAsked = true
    for await value in stream.prefix(1) { last = value }
  }

  func isWaiting() async { while !isAsked { await Task.yield() } }
}

/// Sends for as long as it is there.
actor Station {
  private let stream = AsyncStream<Int> { _ in }
  private var sent = 0

  func start() { Task { await send() } }
  private func send() async { for await value in stream { sent += value } }
}

/// Asks, and keeps who waits for which answer.
final class Client: Sendable {
  private let waiting = Mutex<[Int: UnsafeContinuation<Int, Never>]>([:])

  var open: Int { waiting.withLock { $0.count } }

  @inline(never) func ask(_ number: Int) async -> Int {
    await withUnsafeContinuation { continuation in
      waiting.withLock { $0[number] = continuation }
    }
  }

  func answer(_ number: Int) {
    waiting.withLock { $0.removeValue(forKey: number) }?.resume(returning: 0)
  }
}

/// Follows the latest of several sequences.
final class Latest: @unchecked Sendable {
  private var value = 0
  private var task: Task<Void, Never>?

  func follow(_ stream: AsyncStream<Int>) {
    task?.cancel()
    task = Task { for await value in stream { self.value = value } }
  }
}

/// Counts what a timer does.
final class Ticker: @unchecked Sendable {
  let timer = DispatchSource.makeTimerSource()
  var ticks = 0
}

/// Tells a delegate.
final class Session: @unchecked Sendable { var delegate: Screen? }

/// Has a title that is made when it is needed.
final class Screen: @unchecked Sendable {
  var session: Session?
  private let name = "news"
  lazy var title: () -> String = { self.name }
}

/// Is told of changes of a model.
final class Tracker: @unchecked Sendable {
  @Observable final class Model { var count = 0 }

  private let model = Model()

  func track() {
    withObservationTracking {
      _ = model.count
    } onChange: { [self] in
      track()
    }
  }
}
