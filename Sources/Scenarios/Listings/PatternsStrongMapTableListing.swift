// swift-format-ignore-file
// Copies of what is marked in Sources/Patterns/ReactorKit/StrongMapTable.swift; renewed by 'make record'.

extension Listing {
  static let patternsStrongMapTableListing: [Listing] = [
    Listing(
      "code", path: "Sources/Patterns/ReactorKit/StrongMapTable.swift", line: 6,
      code: #"""
      public final class StrongMapTable<Key: AnyObject, Value> {
        private let holdsKeys: Bool
        private var entries: [ObjectIdentifier: (key: Key?, value: Value)] = [:]

        /// An empty table.
        ///
        /// - Parameter holdsKeys: whether the table keeps its keys alive.
        public init(holdsKeys: Bool) { self.holdsKeys = holdsKeys }

        /// The value of a key, made on first use.
        public func value(forKey key: Key, default makeValue: @autoclosure () -> Value) -> Value {
          if let entry = entries[ObjectIdentifier(key)] { return entry.value }
          let value = makeValue()
          entries[ObjectIdentifier(key)] = (holdsKeys ? key : nil, value)
          return value
        }
      }
      """#),
  ]
}
