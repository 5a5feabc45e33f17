import Foundation
import LeakCheck
import Synchronization
import Testing

/// The same patterns as they should be; each many times, to catch what is only seldom wrong.
@Suite("Clean", .enabled(if: Fixture.isOn)) struct CleanFixtures {
  @Test(.clean()) func finishedStream() async {
    let forwarder = watch(Forwarder())
    forwarder.start()
    forwarder.stop()
  }

  @Test(.clean()) func cancelled() async {
    let forwarder = watch(Forwarder())
    forwarder.startWithGuard()
    forwarder.cancel()
  }

  @Test func weakly() async { await expectClean { watch(Forwarder()).startWeakly() } }

  @Test(.clean()) func resumedByThread() async {
    let runner = watch(Runner())
    Task { await runner.run() }
    onQueue(after: 3) { runner.stop() }
  }

  @Test(.clean()) func resumedWithRawContinuation() async {
    let clock = watch(Clock())
    Task { clock.time = await resumed(after: 5) }
  }

  @Test(.clean()) func sleeping() async {
    let clock = watch(Clock())
    Task { clock.time = await slept(for: 6) }
  }

  @Test(.clean()) func cycleThatEndsByItself() async {
    let clock = watch(Clock())
    clock.later = { clock.later = nil }
    onQueue(after: 4) { clock.finish() }
  }

  @Test(.clean(rounds: Fixture.fewRounds), arguments: [40, 130])
  func resumedLate(milliseconds: Int) async {
    let clock = watch(Clock())
    Task { clock.time = await resumed(after: milliseconds) }
    Task { clock.time = await slept(for: milliseconds) }
    let sleeper = Task.detached { await slept(for: milliseconds) }
    Task { clock.time = await sleeper.value }
    Task {
      await withUnsafeContinuation { continuation in
        Thread.detachNewThread {
          usleep(UInt32(milliseconds) * 1000)
          continuation.resume()
        }
      }
      clock.time = 4
    }
  }

  @Test(.clean()) func groups() async {
    let clock = watch(Clock())
    Task {
      await withTaskGroup { group in
        for delay in 1...4 { group.addTask { clock.time = await slept(for: delay) } }
      }
    }
  }

  @Test(.clean()) func detachedResumes() async {
    let forwarder = watch(Forwarder())
    forwarder.start()
    Task.detached {
      await slept(for: 3)
      forwarder.stop()
    }
  }

  @Test(.clean()) func busyThreadResumes() async {
    let runner = watch(Runner())
    Task { await runner.run() }
    DispatchQueue.global().async {
      let end = ContinuousClock.now + .milliseconds(12)
      while ContinuousClock.now < end {}
      runner.stop()
    }
  }

  @Test(.noLeaks) func trait() async throws {
    let forwarder = watch(Forwarder())
    forwarder.start()
    forwarder.stop()
  }
}

/// Sequences that finish, or that are dropped.
extension CleanFixtures {
  @Test(.clean()) func bufferedWithTermination() async {
    let clock = watch(Clock())
    let (stream, continuation) = AsyncStream.makeStream(
      of: Int.self, bufferingPolicy: .bufferingNewest(2))
    continuation.onTermination = { _ in clock.time = -1 }
    Task { for await value in stream { clock.time = value } }
    for value in 0..<5 { continuation.yield(value) }
    continuation.finish()
  }

  @Test(.clean()) func terminationCancelsTheSource() async {
    let clock = watch(Clock())
    let stream = AsyncStream<Int>(bufferingPolicy: .bufferingOldest(1)) { continuation in
      let source = Task {
        while !Task.isCancelled {
          continuation.yield(clock.time)
          try? await Task.sleep(for: .milliseconds(1))
        }
      }
      continuation.onTermination = { _ in source.cancel() }
    }
    Task { for await _ in stream.prefix(3) {} }
  }

  @Test(.clean()) func chainThatFinishes() async {
    let clock = watch(Clock())
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let chain = stream.map { $0 + clock.time }.filter { $0 % 2 == 0 }
      .compactMap { $0 > 0 ? $0 : nil }.prefix(2)
    Task { for await value in chain { clock.subscription?.send(value) } }
    onQueue(after: 3) { for value in 0..<6 { continuation.yield(value) } }
  }

  @Test(.clean()) func unfoldingThatThrows() async {
    struct Failure: Error {}
    let clock = watch(Clock())
    let stream = AsyncThrowingStream<Int, any Error> {
      try await Task.sleep(for: .milliseconds(1))
      clock.time += 1
      guard clock.time < 3 else { throw Failure() }
      return clock.time
    }
    Task { for try await value in stream { clock.subscription?.send(value) } }
  }
}

/// Tasks that are broken off, and end all the same.
extension CleanFixtures {
  @Test(.clean()) func cancellationHandlerResumes() async {
    let runner = watch(Runner())
    runner.runUntilCancelled().cancel()
  }

  @Test(.clean()) func cancelledByTimer() async {
    let runner = watch(Runner())
    let task = runner.runUntilCancelled()
    onQueue(after: 4) { task.cancel() }
  }

  @Test(.clean()) func groupCancelledMidway() async {
    let clock = watch(Clock())
    Task {
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { clock.time = await slept(for: 600_000) } }
        group.addTask { await slept(for: 3) }
        await group.next()
        group.cancelAll()
      }
    }
  }

  @Test(.clean()) func asyncLetBrokenOffByThrow() async {
    struct Failure: Error {}
    let clock = watch(Clock())
    Task {
      async let slow: Void = Task.sleep(for: .seconds(600))
      async let other = clock.after(2)
      guard await other < 0 else { throw Failure() }
      try await slow
    }
  }

  @Test(.clean()) func sleepCancelled() async {
    let clock = watch(Clock())
    let sleeper = Task { clock.time = await slept(for: 600_000) }
    Task {
      await slept(for: 3)
      sleeper.cancel()
    }
  }

  @Test(.clean()) func actorsQueue() async {
    let counter = watch(Counter())
    for _ in 0..<8 { Task { await counter.count() } }
    await counter.count()
  }

  // The later of two that wait for one task leads to the earlier, and belongs to nobody.
  @Test(.clean(rounds: Fixture.fewRounds)) func taskThatOthersAwait() async {
    let clock = watch(Clock())
    let shared = Task.detached { await resumed(after: 150) }
    let isFirst = Mutex(false)
    Task {
      isFirst.withLock { $0 = true }
      clock.time = await shared.value
    }
    while !isFirst.withLock({ $0 }) { await Task.yield() }
    await Task.yield()
    Task.detached { await shared.value }
  }
}

extension Clock {
  /// Says the time, later.
  fileprivate func after(_ milliseconds: Int) async -> Int { await slept(for: milliseconds) + time }
}

/// Counts, and is suspended in the middle of it.
private actor Counter {
  private var value = 0

  func count() async {
    value += 1
    await Task.yield()
    value += 1
  }
}

extension Runner {
  fileprivate func runUntilCancelled() -> Task<Void, Never> {
    Task {
      await withTaskCancellationHandler {
        await run()
      } onCancel: {
        stop()
      }
    }
  }
}
