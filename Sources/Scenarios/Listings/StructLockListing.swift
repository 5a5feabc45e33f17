// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/StructsAndThreads/StructLock.swift; renewed by 'make record'.

extension Listing {
  static let structLockListing: [Listing] = [
    Listing(
      "point", path: "Sources/Scenarios/StructsAndThreads/StructLock.swift", line: 66,
      code: #"""
      static func modify(_ point: Held<Point>, _ lock: WriterLock) {
        lock.withLock {
          point.value.update()
        }
      }
      """#),
    Listing(
      "object", path: "Sources/Scenarios/StructsAndThreads/StructLock.swift", line: 74,
      code: #"""
      struct ValueType {
        let name: String
        let referenceType: ReferenceType
      }

      class ReferenceType {
        @Held private(set) var name: String
        private let lock: WriterLock
        private let probe = Probe(ReferenceType.self)

        init(name: String, writers: Int) {
          let held = Held(name, writers: writers)
          _name = held
          lock = WriterLock(around: held)
        }

        func append(_ letter: String) {
          lock.withLock { name += letter }
        }
      }
      """#),
  ]
}
