// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/StructsAndThreads/StructCopy.swift; renewed by 'make record'.

extension Listing {
  static let structCopyListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/StructsAndThreads/StructCopy.swift", line: 79,
      code: #"""
      struct Path {
        var buffer: Buffer

        mutating func append(_ point: Point) {
          if !isKnownUniquelyReferenced(&buffer) {
            buffer = Buffer(buffer.points)
          }
          buffer.points.append(point)
        }

        mutating func appendAndForget(_ point: Point) {
          buffer.points.append(point)
        }
      }
      """#),
  ]
}
