import MemlabKit

/// The document's demonstration, in two halves; memlab waits between them.
///
/// As printed, the publisher starts at the same time as the subscribers, and a late subscriber
/// misses the first values.
enum BroadcastDemo<Broadcaster: BroadcasterUnderStudy<Int>>: Notebook {
  /// A subscriber; it returns the values that it received.
  typealias Subscriber = Task<[Int], Never>

  // snippet:subscribers
  static func subscribe(to broadcaster: Broadcaster) -> (Subscriber, Subscriber) {
    let taskA = Task(probe: "A") {
      let stream = await broadcaster.stream()
      print("subscribed")
      var received: [Int] = []
      for await value in stream {
        print("received", value)
        received.append(value)
      }
      return received
    }

    let taskB = Task(probe: "B") {
      let stream = await broadcaster.stream()
      print("subscribed")
      var received: [Int] = []
      for await value in stream {
        print("received", value)
        received.append(value)
      }
      return received
    }
    return (taskA, taskB)
  }
  // snippet:end

  // snippet:publisher
  static func publish(on broadcaster: Broadcaster, to taskA: Subscriber, _ taskB: Subscriber) {
    Task(probe: "publisher") {
      for i in 1...20 {
        await broadcaster.yield(i)
        try? await Task.sleep(nanoseconds: 100_000_000)

        if i == 10 {
          taskB.cancel()
        }
      }

      let subscriberCount = await broadcaster.subscriberCount
      await broadcaster.finish()

      let a = await taskA.value
      let b = await taskB.value
      print("receivedByA:", a.count, "receivedByB:", b.count)
      print("union:", Set(a + b).count, "subscribersAtTheEnd:", subscriberCount)
    }
  }
  // snippet:end

  // snippet:weakly
  /// A subscriber that holds its stream, and not the broadcaster.
  static func subscribeWeakly(to broadcaster: Broadcaster, as name: String) -> Subscriber {
    Task(probe: name) { [weak broadcaster] in
      guard let stream = await broadcaster?.stream() else { return [] }
      print("subscribed")
      var received: [Int] = []
      for await value in stream {
        print("received", value)
        received.append(value)
      }
      return received
    }
  }
  // snippet:end
}
