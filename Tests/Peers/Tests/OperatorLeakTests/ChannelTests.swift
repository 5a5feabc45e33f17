import AsyncAlgorithms
import LeakCheck
import Testing

@Suite("Channels, senders and receivers in tasks of their own") struct ChannelTests {
  @Test("finished: nothing is left") func finishes() async {
    await expectNoLeaksOfManyLives {
      let channel = watch(AsyncChannel<Value>())
      Task {
        for number in 1...3 { await channel.send(watch(Value(number))) }
        channel.finish()
      }
      Task { for await _ in channel {} }
      Task { for await _ in channel {} }
    }
  }

  @Test("failed: nothing is left") func fails() async {
    await expectNoLeaksOfManyLives {
      let channel = watch(AsyncThrowingChannel<Value, any Error>())
      Task {
        await channel.send(watch(Value(1)))
        channel.fail(CancellationError())
      }
      Task { for try await _ in channel {} }
    }
  }

  @Test("sender and receiver cancelled: nothing is left") func cancelled() async {
    await expectNoLeaksOfManyLives {
      let channel = watch(AsyncChannel<Value>())
      let sender = Task { while !Task.isCancelled { await channel.send(watch(Value(1))) } }
      let receiver = Task { for await _ in channel {} }
      for await _ in channel { break }
      receiver.cancel()
      await receiver.value
      sender.cancel()
    }
  }

  @Test("the receiver breaks off, then the channel is finished: nothing is left")
  func brokenOffAndFinished() async throws {
    try await expectNoLeaksOfManyLives {
      let channel = watch(AsyncThrowingChannel<Value, any Error>())
      let sender = Task { for number in 1...3 { await channel.send(watch(Value(number))) } }
      for try await _ in channel { break }
      channel.finish()
      await sender.value
    }
  }

  @Test("the receiver breaks off: the sender waits forever") func brokenOff() async {
    await knownLeak(
      "send(_:) waits for a receiver, and nothing tells it that the last has gone",
      naming: ["sender", "captured → AsyncChannel<Value>"]
    ) {
      await expectNoLeaks {
        let channel = watch(AsyncChannel<Value>())
        Task(name: "sender") {
          for number in 1...3 { await channel.send(Value(number)) }
          channel.finish()
        }
        for await _ in channel { break }
      }
    }
  }
}
