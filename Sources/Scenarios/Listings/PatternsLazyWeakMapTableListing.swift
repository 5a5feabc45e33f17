// swift-format-ignore-file
// Copies of what is marked in Sources/Patterns/ReactorKit/LazyWeakMapTable.swift; renewed by 'make record'.

extension Listing {
  static let patternsLazyWeakMapTableListing: [Listing] = [
    Listing(
      "code", path: "Sources/Patterns/ReactorKit/LazyWeakMapTable.swift", line: 6,
      code: #"""
      public final class LazyWeakMapTable<Key: AnyObject, Value> {
        private struct Entry {
          weak var key: Key?
          var value: Value
        }

        private var entries: [ObjectIdentifier: Entry] = [:]

        /// An empty table.
        public init() {}

        /// How many values there are; throws away those of keys that have gone.
        public var count: Int {
          removeOrphans()
          return entries.count
        }

        /// The value of a key, made on first use; throws away the values of keys that have gone.
        public func value(forKey key: Key, default makeValue: @autoclosure () -> Value) -> Value {
          removeOrphans()
          if let entry = entries[ObjectIdentifier(key)] { return entry.value }
          let value = makeValue()
          entries[ObjectIdentifier(key)] = Entry(key: key, value: value)
          return value
        }

        private func removeOrphans() {
          entries = entries.filter { $0.value.key != nil }
        }
      }
      """#),
  ]
}
