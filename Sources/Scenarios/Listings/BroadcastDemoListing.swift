// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Broadcast/BroadcastDemo.swift; renewed by 'make record'.

extension Listing {
  static let broadcastDemoListing: [Listing] = [
    Listing(
      "subscribers", path: "Sources/Scenarios/Broadcast/BroadcastDemo.swift", line: 11,
      code: #"""
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
      """#),
    Listing(
      "publisher", path: "Sources/Scenarios/Broadcast/BroadcastDemo.swift", line: 38,
      code: #"""
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
      """#),
    Listing(
      "weakly", path: "Sources/Scenarios/Broadcast/BroadcastDemo.swift", line: 61,
      code: #"""
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
      """#),
  ]
}
