import LeakCheck
import NewsReader
import Testing

// snippet:tests
@MainActor struct HeadlineModelTests {
  let feed = Feed()

  @Test(.disabled(if: leakIsHidden)) func goesWithItsScreen() async {
    await expectNoLeaks(within: .seconds(1)) {
      let model = watch(HeadlineModel(feed: feed))
      model.start()
      await nextTurn()
    }
  }

  @Test func politeGoesWithItsScreen() async {
    await expectNoLeaks {
      let model = watch(PoliteHeadlineModel(feed: feed))
      model.start()
      await nextTurn()
    }
  }

  @Test(.noLeaks) func tellsEverybody() async {
    let model = watch(PoliteHeadlineModel(feed: feed))
    model.start()
    await nextTurn()
    feed.publish("Nobody leaks")
    while model.headlines.isEmpty { await nextTurn() }
    #expect(model.headlines == ["Nobody leaks"])
  }
}
// snippet:end

/// Lets the main actor's tasks run.
private func nextTurn() async { await Task.yield() }
