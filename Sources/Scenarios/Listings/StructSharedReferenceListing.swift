// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/StructsAndThreads/StructSharedReference.swift; renewed by 'make record'.

extension Listing {
  static let structSharedReferenceListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/StructsAndThreads/StructSharedReference.swift", line: 89,
      code: #"""
      struct ValueType {
        let name: String
        let referenceType: ReferenceType
      }

      class ReferenceType {
        @Held var name: String
        private let probe = Probe(ReferenceType.self)

        init(name: String, writers: Int) {
          _name = Held(name, writers: writers)
        }
      }
      """#),
  ]
}
