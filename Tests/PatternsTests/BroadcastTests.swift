import MemlabPatterns
import Testing

@Suite("Broadcast") struct BroadcastTests {
  @Test("a consumer that is cancelled is dropped, and the others are not")
  func cancelledConsumer() async {
    let broadcaster = AsyncBroadcastStream<Int>()
    let streams = [await broadcaster.stream(), await broadcaster.stream()]
    let consumers = streams.map { stream in Task { for await _ in stream {} } }
    consumers[0].cancel()
    await consumers[0].value
    // The actor hears of it in a task of its own.
    let deadline = ContinuousClock.now + .seconds(60)
    while await broadcaster.subscriberCount > 1, ContinuousClock.now < deadline {
      await Task.yield()
    }
    #expect(await broadcaster.subscriberCount == 1)
    await broadcaster.finish()
    await consumers[1].value
  }
}
