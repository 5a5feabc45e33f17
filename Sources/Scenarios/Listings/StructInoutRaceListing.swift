// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/StructsAndThreads/StructInoutRace.swift; renewed by 'make record'.

extension Listing {
  static let structInoutRaceListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/StructsAndThreads/StructInoutRace.swift", line: 52,
      code: #"""
      struct Point {
        var x = 0
        var y = 0

        mutating func update() {
          x += 1
          y += 1
        }

        func printPoint() {
          print("(\(x), \(y))")
        }
      }

      static func modifyPoint(point: inout Point) {
        point.update()
        point.printPoint()
      }
      """#),
  ]
}
