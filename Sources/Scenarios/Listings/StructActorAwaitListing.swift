// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/StructsAndThreads/StructActorAwait.swift; renewed by 'make record'.

extension Listing {
  static let structActorAwaitListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/StructsAndThreads/StructActorAwait.swift", line: 64,
      code: #"""
      actor PointOwner {
        private var point = Point(x: 1, y: 1)
        private let probe = Probe(PointOwner.self)

        func modify(after server: Gate) async -> Int {
          var copy = point
          print("waiting")
          await server.opened()
          copy.update()
          point = copy
          return point.x
        }

        func modifyAtOnce(after server: Gate) async -> Int {
          print("waiting")
          await server.opened()
          point.update()
          return point.x
        }
      }
      """#),
  ]
}
