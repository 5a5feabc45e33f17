// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/StructsAndThreads/StructActor.swift; renewed by 'make record'.

extension Listing {
  static let structActorListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/StructsAndThreads/StructActor.swift", line: 70,
      code: #"""
      actor PointOwner {
        private var point = Point(x: 1, y: 1)
        private let probe = Probe(PointOwner.self)

        func modify() -> Int {
          point.update()
          return point.x
        }
      }
      """#),
  ]
}
