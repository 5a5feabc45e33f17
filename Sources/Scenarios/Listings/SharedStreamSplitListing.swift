// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Broadcast/SharedStreamSplit.swift; renewed by 'make record'.

extension Listing {
  static let sharedStreamSplitListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Broadcast/SharedStreamSplit.swift", line: 73,
      code: #"""
      static func makeNumberStream(_ start: Gate) -> AsyncStream<Int> {
        AsyncStream { continuation in
          Task(probe: "producer") {
            await start.opened()
            for i in 0..<20 {
              continuation.yield(i)
              try? await Task.sleep(nanoseconds: 50_000_000)
            }
            continuation.finish()
          }
        }
      }

      static func demoMultiConsumer(_ stream: AsyncStream<Int>) -> Task<[Int], Never> {
        let task1 = Task(probe: "A") {
          print("iterating")
          var received: [Int] = []
          for await value in stream {
            print("received", value)
            received.append(value)
          }
          return received
        }

        let task2 = Task(probe: "B") {
          print("iterating")
          var received: [Int] = []
          for await value in stream {
            print("received", value)
            received.append(value)
          }
          return received
        }

        Task(probe: "summary") {
          let (valuesA, valuesB) = await (task1.value, task2.value)

          let setA = Set(valuesA)
          let setB = Set(valuesB)
          let union = setA.union(setB)

          print("receivedByA:", setA.count, "receivedByB:", setB.count)
          print("receivedByBoth:", setA.intersection(setB).count, "union:", union.count)
        }
        return task2
      }
      """#),
  ]
}
