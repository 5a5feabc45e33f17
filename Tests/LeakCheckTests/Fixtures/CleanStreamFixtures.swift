import Dispatch
import LeakCheck
import Synchronization
import Testing

/// Sequences that finish, or that are dropped.
extension CleanFixtures {
  @Test func bufferedWithTermination() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let (stream, continuation) = AsyncStream.makeStream(
          of: Int.self, bufferingPolicy: .bufferingNewest(2))
        continuation.onTermination = { _ in clock.time = -1 }
        Task { for await value in stream { clock.time = value } }
        for value in 0..<5 { continuation.yield(value) }
        continuation.finish()
      }
    }
  }

  @Test func terminationCancelsTheSource() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
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
    }
  }

  @Test func chainThatFinishes() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let chain = stream.map { $0 + clock.time }.filter { $0 % 2 == 0 }
          .compactMap { $0 > 0 ? $0 : nil }.prefix(2)
        Task { for await value in chain { clock.subscription?.send(value) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(3)) {
          for value in 0..<6 { continuation.yield(value) }
        }
      }
    }
  }

  @Test func unfoldingThatThrows() async {
    struct Failure: Error {}
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
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
  }
}
