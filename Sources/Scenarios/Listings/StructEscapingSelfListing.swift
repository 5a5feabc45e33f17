// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/StructsAndThreads/StructEscapingSelf.swift; renewed by 'make record'.

extension Listing {
  static let structEscapingSelfListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/StructsAndThreads/StructEscapingSelf.swift", line: 176,
      code: #"""
      struct ItemList {
        var items: [String] = []
        let network: Network

        mutating func load() {
          network.fetch { [self] _ in
            print("itemsSeen:", items.count)
          }
        }

        mutating func loadCapturingItems() {
          network.fetch { [items] _ in
            print("itemsSeen:", items.count)
          }
        }

        mutating func loadFromCache() {
          network.cached { items += $0 }
        }
      }
      """#),
  ]
}
