// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/StructsAndThreads/AccessorLock.swift; renewed by 'make record'.

extension Listing {
  static let accessorLockListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/StructsAndThreads/AccessorLock.swift", line: 42,
      code: #"""
      final class Counter: Sendable {
        private let storage = Mutex(0)

        var value: Int {
          get { storage.withLock { $0 } }
          set { storage.withLock { $0 = newValue } }
        }

        func add(_ amount: Int) {
          storage.withLock { $0 += amount }
        }
      }

      static func addLater(_ amount: Int, to value: inout Int) async {
        await Task.yield()
        value += amount
      }
      """#),
  ]
}
